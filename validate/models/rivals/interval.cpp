#include "validate/models/rivals/interval.hpp"

#include <algorithm>

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

}  // namespace sassafras::validate::rivals
