#include "validate/models/spt/model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sassafras::validate::spt {

namespace {

constexpr double hertz_a_megahertz = 1e6;

Error faulty(const Algorithm& algorithm, const Kernel& kernel, const std::string& what) {
    return {ErrorKind::bad_input, what, algorithm.name + ", kernel " + kernel.name, {}};
}

bool usable(double value) { return std::isfinite(value) && value >= 0; }

Term make_term(const Kernel& kernel, const OperationCount& count, const Operation& operation) {
    Term term;
    term.kernel = kernel.name;
    term.symbol = count.symbol;
    term.part = count.part;
    term.count = count.count;
    term.latency_cycles = operation.latency_cycles;
    term.bandwidth = operation.bandwidth;
    term.oversubscription = kernel.oversubscription;
    term.ilp = operation.hidden_by_ilp ? count.ilp : 1;
    term.multiplicity = term.oversubscription * term.ilp;
    term.bandwidth_cycles = 1 / operation.bandwidth;
    term.hidden_cycles = operation.latency_cycles / term.multiplicity;
    if (count.rounding == LatencyRounding::whole_cycles) term.hidden_cycles = std::ceil(term.hidden_cycles);
    term.bound = term.hidden_cycles > term.bandwidth_cycles ? Bound::latency : Bound::bandwidth;
    term.operation_cycles = std::max(term.bandwidth_cycles, term.hidden_cycles);
    term.cycles = term.count * term.operation_cycles;
    return term;
}

}  // namespace

double Estimate::operation_cycles(std::string_view symbol) const {
    double sum = 0;
    for (const Term& term : terms)
        if (term.symbol == symbol) sum += term.cycles;
    return sum;
}

Result<Estimate> estimate(const Algorithm& algorithm, const Instance& instance) {
    Estimate result;
    for (const Kernel& kernel : algorithm.kernels) {
        if (!kernel.lack.empty()) {
            Error error = faulty(algorithm, kernel, kernel.lack);
            error.remedy = "choose a smaller " + kernel.smaller;
            return error;
        }
        if (!usable(kernel.launches)) return faulty(algorithm, kernel, "the number of launches is no count");
        if (!usable(kernel.oversubscription) || kernel.oversubscription == 0)
            return faulty(algorithm, kernel, "the oversubscription is not above zero");
        result.kernels += kernel.launches;
        for (const OperationCount& count : kernel.operations) {
            const Operation* operation = instance.find(count.symbol);
            if (operation == nullptr)
                return Error{ErrorKind::bad_input, fmt::format("the instance has no operation \"{}\"", count.symbol),
                             instance.name,
                             fmt::format("add it to the instance's operations; {} needs it", algorithm.name)};
            if (!usable(count.count))
                return faulty(algorithm, kernel,
                              fmt::format("the count of operation \"{}\" is {}", count.symbol, count.count));
            if (!usable(count.ilp) || count.ilp == 0)
                return faulty(algorithm, kernel,
                              fmt::format("M_I of operation \"{}\" is not above zero", count.symbol));
            result.terms.push_back(make_term(kernel, count, *operation));
            result.cycles += result.terms.back().cycles;
        }
    }
    result.sync_cycles = result.kernels * instance.sync_cycles;
    result.cycles += result.sync_cycles;
    result.seconds = result.cycles / (instance.clock_mhz * hertz_a_megahertz);
    if (result.cycles > 0)
        for (Term& term : result.terms) term.share = term.cycles / result.cycles;
    return result;
}

}  // namespace sassafras::validate::spt
