#include "validate/models/rivals/interval.hpp"

#include <algorithm>
#include <cmath>

namespace sassafras::validate::rivals {

double interval_cycles(const IntervalInput& input) {
    double instructions = 0;
    double stalls = 0;
    for (const IssueInterval& interval : input.intervals) {
        instructions += interval.instructions;
        stalls += interval.stall;
    }
    if (instructions == 0) return 0;
    const double probability = instructions / (instructions + stalls);
    const double average = instructions / static_cast<double>(input.intervals.size());
    const double others = std::max(input.warps - 1, 0.0);
    double cycles = 0;
    for (const IssueInterval& interval : input.intervals) {
        // What the other warps issue while this one waits; the rest of their work adds to the time.
        double hidden = 0;
        double theirs = 0;
        if (input.order == WarpOrder::round_robin) {
            theirs = others * interval.instructions;
            hidden = others * probability;
        } else {
            theirs = others * average;
            hidden = std::min(interval.stall * probability, 1.0) * theirs;
        }
        cycles += (interval.instructions + theirs) / input.issue_rate +
                  std::max(interval.stall - hidden / input.issue_rate, 0.0);
    }
    return cycles;
}

double queue_cycles(double transactions, double cycles_each, double already) {
    return std::max(transactions * cycles_each - already, 0.0);
}

double interval_of(const LaunchView& view) {
    const double each = view.a_warp(view.launch.instructions());
    const double stops = std::max(std::round(view.a_warp(view.launch.global)), 1.0);
    const double stall = view.launch.global > 0 ? view.global_latency : 0;
    const IssueInterval one{each / stops, stall};
    // All intervals are alike: one, times their number. A sub-core issues an instruction a cycle.
    const double rounds = view.warps / (view.active_warps * view.active_sms);
    const double base = stops * rounds *
                        interval_cycles({std::span(&one, 1), std::max(view.active_warps / view.issue_rate, 1.0), 1,
                                         WarpOrder::greedy_then_oldest});
    return base + queue_cycles(view.bytes(), 1 / view.bandwidth, base);
}

}  // namespace sassafras::validate::rivals
