// What the figures say of SPT and the simulator, in words.
#include <cmath>

#include <fmt/format.h>

#include "validate/compare/summary.hpp"

namespace sassafras::validate {

namespace {

constexpr double demanded = 2;  // times that SPT's mean error is to be the simulator's
constexpr double percent = 100;

/// Why SPT is as near as it is: of its parts g, s, r, y and L_sync, how much they miss the simulation's by, and how
/// much of that is left in the sum.
std::string why(const Comparison& comparison, const ModelEstimate& spt) {
    const Attribution& simulated = *comparison.attribution;
    const double sync = *spt.cycles - *spt.kernel_cycles;
    const double missed = std::abs(spt.parts->g - simulated.g) + std::abs(spt.parts->s - simulated.s) +
                          std::abs(spt.parts->r - simulated.r) + std::abs(spt.parts->y - simulated.y) +
                          std::abs(sync - simulated.launch) + simulated.other;
    const double left = std::abs(*spt.cycles - *comparison.simulated);
    const double shown = percent / comparison.measured->cycles;
    if (missed > demanded * left)
        return fmt::format(
            "SPT's parts miss the simulation's by {:.0f} % of the time and cancel to {:.0f} %; most in {}",
            missed * shown, left * shown, spt.misjudged->symbol);
    return fmt::format("SPT's parts miss the simulation's by {:.0f} % of the time, without cancelling; most in {}",
                       missed * shown, spt.misjudged->symbol);
}

}  // namespace

std::vector<std::string> findings(std::span<const Comparison> comparisons) {
    const std::vector<Contest> rows = contests(comparisons);
    if (rows.empty()) return {};
    std::vector<std::string> sentences;
    const auto figures = [](const Contest& row) {
        return fmt::format(
            "the simulator's mean absolute error over {} run{} is {:.1f} %, that of SPT with counted A {:.1f} %",
            row.compared, row.compared == 1 ? "" : "s", row.simulator_percent, row.spt_percent);
    };
    const auto times = [](const Contest& row) {
        return row.simulator_percent > 0 ? fmt::format(" ({:.1f} times)", row.spt_percent / row.simulator_percent)
                                         : std::string();
    };
    for (const Contest& row : rows) {
        const bool wins = row.simulator_wins(demanded);
        sentences.push_back(fmt::format("{}: {}{}: {}", row.scope, figures(row), times(row),
                                        wins ? "half of it or less" : "NOT half of it or less"));
    }
    for (const Comparison& comparison : comparisons) {
        const ModelEstimate* spt = comparison.find("spt-counted");
        if (!comparison.measured || !comparison.simulated || spt == nullptr || !spt->cycles) continue;
        const double spt_error = error_percent(*spt->cycles, comparison.measured->cycles);
        const double simulator_error = error_percent(*comparison.simulated, comparison.measured->cycles);
        if (std::abs(simulator_error) * demanded <= std::abs(spt_error)) continue;
        sentences.push_back(fmt::format("{} {}, n {}: simulator {:+.1f} %, SPT {:+.1f} %: {}", comparison.run.workload,
                                        comparison.run.variant, comparison.run.n, simulator_error, spt_error,
                                        why(comparison, *spt)));
    }
    return sentences;
}

}  // namespace sassafras::validate
