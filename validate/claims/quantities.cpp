#include "validate/claims/quantities.hpp"

#include <cmath>
#include <numeric>

#include "validate/models/spt/workload_formula.hpp"
#include "workloads/selection.hpp"

namespace sassafras::validate::claims {

namespace {

constexpr double percent = 100;

/// The table asks only for what there is.
template <class T>
T certain(Result<T> result) {
    if (!result) throw InvariantViolation("a claim's test asks for what there is not: " + result.error().message());
    return std::move(result).value();
}

}  // namespace

double conflicts_of(const RunResult& run) {
    double wavefronts = 0;
    double needed = 0;
    for (const KernelProfile& launch : run.profiles) {
        wavefronts += launch.shared_wavefronts;
        needed += launch.shared_wavefronts_ideal;
    }
    return wavefronts / needed;
}

const spt::Instance& machine(const std::string& name) {
    for (const spt::Instance& instance : spt::built_in_instances())
        if (instance.name == name) return instance;
    throw InvariantViolation("Table 4.2 has no " + name);
}

spt::Estimate estimate_on(const std::string& machine_name, const spt::Algorithm& algorithm) {
    return certain(spt::estimate(algorithm, machine(machine_name)));
}

double cycles_or_no_room(const std::string& machine_name, const spt::Algorithm& algorithm) {
    for (const spt::Kernel& kernel : algorithm.kernels)
        if (!kernel.lack.empty()) return INFINITY;
    return estimate_on(machine_name, algorithm).cycles;
}

double share_percent(const spt::Estimate& estimate, const std::string& symbol) {
    return percent * estimate.operation_cycles(symbol) / estimate.cycles;
}

spt::Bound bound_of(const spt::Estimate& estimate, const std::string& symbol) {
    for (const spt::Term& term : estimate.terms)
        if (term.symbol == symbol) return term.bound;
    throw InvariantViolation("the estimate has no operation " + symbol);
}

double formula_cycles(const RunSpec& spec, spt::Reading reading) {
    workloads::WorkloadRequest request;
    request.name = spec.workload;
    request.variant = spec.variant;
    request.n = spec.n;
    request.parameters.insert(spec.parameters.begin(), spec.parameters.end());
    const auto info = certain(workloads::find(spec.workload));
    const auto selection = certain(workloads::select(info, request));
    const auto algorithm = certain(spt::formula_of(spec.workload, selection, machine(spec.platform), reading, {}));
    return estimate_on(spec.platform, algorithm).cycles;
}

double mean_error_percent(std::span<const std::pair<double, double>> pairs) {
    double sum = 0;
    for (const auto& [estimated, measured] : pairs) sum += std::abs(estimated / measured - 1);
    return percent * sum / static_cast<double>(pairs.size());
}

double mean_error_percent(const Evidence& evidence, std::span<const RunSpec> runs, spt::Reading reading) {
    std::vector<std::pair<double, double>> pairs;
    for (const RunSpec& run : runs) pairs.emplace_back(formula_cycles(run, reading), evidence.cycles(run));
    return mean_error_percent(pairs);
}

double best_parameter(std::span<const Candidate> candidates) {
    require_invariant(!candidates.empty(), "the best of nothing");
    const Candidate* best = candidates.data();
    for (const Candidate& candidate : candidates)
        if (candidate.time < best->time) best = &candidate;
    return best->parameter;
}

SortPasses passes_of(const RunResult& run) {
    SortPasses sort;
    double partition = 0;
    bool merging = false;
    for (const LaunchTime& launch : run.launches) {
        const bool merges = launch.kernel.find("merge") != std::string::npos;
        const bool partitions = launch.kernel.find("partition") != std::string::npos;
        merging = merging || merges || partitions;
        if (!merging) {
            sort.base += launch.cycles;
        } else if (partitions) {
            partition += launch.cycles;
        } else {
            sort.passes.push_back(partition + launch.cycles);
            partition = 0;
        }
    }
    return sort;
}

double continued(const RunResult& half, const RunResult& full, double keys, double wanted, double passes) {
    const SortPasses less = passes_of(half);
    const SortPasses more = passes_of(full);
    require_invariant(!less.passes.empty() && !more.passes.empty(), "a sort without a pass");
    const auto line = [&](double at_half, double at_full) {
        return at_full + (at_full - at_half) * (wanted - keys) / (keys / 2);
    };
    return line(less.base, more.base) + passes * line(less.passes.front(), more.passes.front());
}

double with_mean_passes(const RunResult& run, double passes) {
    const SortPasses sort = passes_of(run);
    require_invariant(!sort.passes.empty(), "a sort without a pass");
    const double all = std::accumulate(sort.passes.begin(), sort.passes.end(), 0.0);
    return sort.base + passes * all / static_cast<double>(sort.passes.size());
}

}  // namespace sassafras::validate::claims
