#include "workloads/ode/ode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/random.hpp"
#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/ode/scheme.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::ode {
namespace {

constexpr std::uint32_t threads = 128;  ///< a block

/// What the driver has to know of a variant's kernel.
struct Variant {
    const char* name;
    bool printed = false;       ///< in ode_printed.cu
    bool side_by_side = false;  ///< a chromosome's rate constants and states lie one behind the other
    bool floats = false;        ///< literals are
    bool scratch = false;       ///< takes an array of states in global memory
};
constexpr std::array variants{
    Variant{.name = "base", .side_by_side = true},
    Variant{.name = "coalesced"},
    Variant{.name = "shared"},
    Variant{.name = "registers"},
    Variant{.name = "float-literals", .floats = true},
    Variant{.name = "opt3", .printed = true, .scratch = true},
    Variant{.name = "opt4", .printed = true, .scratch = true},
    Variant{.name = "opt3-63", .printed = true, .scratch = true},
    Variant{.name = "opt4-63", .printed = true, .scratch = true},
    Variant{.name = "registers-63", .printed = true, .scratch = true},
    Variant{.name = "literals", .printed = true, .side_by_side = true, .floats = true},
    Variant{.name = "unrolled", .printed = true, .side_by_side = true},
    Variant{.name = "unrolled-literals", .printed = true, .side_by_side = true, .floats = true},
};

const Variant& variant_of(const Selection& selection) {
    for (const Variant& variant : variants)
        if (selection.variant == variant.name) return variant;
    throw InvariantViolation("a variant that was never offered");
}

using States = std::array<float, states>;

template <class Literal>
States derivatives(const float* rates, const States& y) {
    States dydx{};
    for (std::size_t t = 0; t < transitions; ++t) {
        const auto from = static_cast<std::size_t>(scheme.from[t]);
        const auto to = static_cast<std::size_t>(scheme.to[t]);
        const Literal forward =
            static_cast<Literal>(scheme.forward_factor[t]) * static_cast<Literal>(rates[scheme.forward_parameter[t]]);
        const Literal backward =
            static_cast<Literal>(scheme.backward_factor[t]) * static_cast<Literal>(rates[scheme.backward_parameter[t]]);
        const Literal flux =
            std::fma(forward, static_cast<Literal>(y[from]), -(backward * static_cast<Literal>(y[to])));
        dydx[from] = static_cast<float>(static_cast<Literal>(dydx[from]) - flux);
        dydx[to] = static_cast<float>(static_cast<Literal>(dydx[to]) + flux);
    }
    return dydx;
}

/// y + factor slope, element by element.
States moved(const States& y, float factor, const States& slope) {
    States result;
    for (std::size_t i = 0; i < states; ++i) result[i] = std::fma(factor, slope[i], y[i]);
    return result;
}

template <class Literal>
States integrate(const float* rates, std::int64_t steps) {
    States y{1.0F};
    const auto half = static_cast<float>(static_cast<Literal>(time_step) * static_cast<Literal>(0.5));
    const auto sixth =
        static_cast<float>(static_cast<Literal>(time_step) * (static_cast<Literal>(1) / static_cast<Literal>(6)));
    for (std::int64_t step = 0; step < steps; ++step) {
        const States first = derivatives<Literal>(rates, y);
        const States second = derivatives<Literal>(rates, moved(y, half, first));
        const States third = derivatives<Literal>(rates, moved(y, half, second));
        const States fourth = derivatives<Literal>(rates, moved(y, time_step, third));
        for (std::size_t i = 0; i < states; ++i) {
            const float inner = third[i] + second[i];
            const float outer = first[i] + fourth[i];
            const Literal slopes =
                std::fma(static_cast<Literal>(2), static_cast<Literal>(inner), static_cast<Literal>(outer));
            y[i] = static_cast<float>(std::fma(static_cast<Literal>(sixth), slopes, static_cast<Literal>(y[i])));
        }
    }
    return y;
}

/// Rows become columns.
std::vector<float> transposed(const std::vector<float>& matrix, std::size_t rows, std::size_t columns) {
    std::vector<float> result(matrix.size());
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            result[column * rows + row] = matrix[row * columns + column];
    return result;
}

Result<std::uint64_t> n_of_own(std::uint64_t count, const std::map<std::string, std::int64_t>& /*parameters*/) {
    return count / parameters;  // what remains is refused with the count
}

struct Problem {
    Selection selection;
    std::vector<float> rates;
};

Result<Problem> problem_of(const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection.error();
    Problem problem{std::move(*selection), {}};
    const Selection& chosen = problem.selection;
    if (!request.keys) {
        problem.rates = make_rates(chosen.input, chosen.n, chosen.seed);
        return problem;
    }
    if (auto checked =
            check_own_count(about.name, request.keys->size(), chosen.n * parameters,
                            fmt::format("give {} rate constants a chromosome, one behind the other", parameters));
        !checked)
        return checked.error();
    problem.rates = floats_of(*request.keys);
    return problem;
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "ode";
    info.description = "RK4 of a kinetic scheme of 16 states and 9 rate constants, a thread a chromosome";
    info.size_description = "chromosomes";
    info.default_n = 8192;
    info.greatest_n = std::uint64_t{1} << 24U;
    for (const Variant& variant : variants) info.variants.push_back({variant.name, {}});
    info.inputs = {"random", "equal"};
    info.own_input = "floats of 32 bits: 9 rate constants a chromosome";
    info.own_numbers = OwnNumbers::floats;
    info.n_of_own = n_of_own;
    info.greatest_own = info.greatest_n * parameters;
    info.parameters = {{"T", "time steps", 0, 1000000, 8}};
    return info;
}

std::vector<float> make_rates(std::string_view kind, std::size_t chromosomes, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> rates(chromosomes * parameters);
    for (float& rate : rates) rate = 1.0F + 0.5F * random.signed_unit();
    if (kind == "equal") {
        for (std::size_t i = parameters; i < rates.size(); ++i) rates[i] = rates[i - parameters];
    } else {
        require_invariant(kind == "random", "an input kind that was never offered");
    }
    return rates;
}

std::vector<float> reference(const std::vector<float>& rates, std::int64_t steps, Literals literals,
                             const HostPoll& poll) {
    std::vector<float> result;
    result.reserve(rates.size() / parameters * states);
    for (std::size_t first = 0; first < rates.size(); first += parameters) {
        if (poll) poll();
        const States y = literals == Literals::doubles ? integrate<double>(rates.data() + first, steps)
                                                       : integrate<float>(rates.data() + first, steps);
        result.insert(result.end(), y.begin(), y.end());
    }
    return result;
}

Result<std::vector<float>> own_numbers(const WorkloadRequest& request) {
    auto problem = problem_of(request);
    if (!problem) return problem.error();
    return std::move(problem->rates);
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    auto problem = problem_of(request);
    if (!problem) return problem.error();
    const auto& [selection, rates] = *problem;
    const std::size_t n = selection.n;
    const std::int64_t steps = selection.parameter("T");
    const Variant& variant = variant_of(selection);
    const bool side_by_side = variant.side_by_side;

    const auto module = variant.printed ? load_cubin(device, cubins::ode_printed(), "workloads/ode/ode_printed.cubin")
                                        : load_cubin(device, cubins::ode(), "workloads/ode/ode.cubin");
    if (!module) return module.error();
    const auto device_rates =
        DeviceBuffer<float>::from(device, side_by_side ? rates : transposed(rates, n, parameters));
    if (!device_rates) return device_rates.error();
    const auto device_result = DeviceBuffer<float>::make(device, n * states);
    if (!device_result) return device_result.error();
    const auto scratch = DeviceBuffer<float>::make(device, variant.scratch ? n * states : 0);
    if (!scratch) return scratch.error();
    if (n != 0) {
        sim::Launch launch;
        launch.module = *module;
        launch.kernel = "ode_" + selection.variant;
        std::replace(launch.kernel.begin(), launch.kernel.end(), '-', '_');
        launch.grid = {static_cast<std::uint32_t>((n + threads - 1) / threads), 1, 1};
        launch.block = {threads, 1, 1};
        launch.arguments.add(device_rates->argument()).add(device_result->argument());
        if (variant.scratch) launch.arguments.add(scratch->argument());
        launch.arguments.add(static_cast<std::int32_t>(n)).add(time_step).add(static_cast<std::int32_t>(steps));
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    request.poll_if_asked();
    auto result = device_result->read();
    if (!result) return result.error();
    if (!side_by_side) result = transposed(*result, states, n);
    WorkloadRun run = start_run(info(), selection);
    verify(run, *result, reference(rates, steps, variant.floats ? Literals::floats : Literals::doubles, request.poll));
    return run;
}

}  // namespace sassafras::workloads::ode
