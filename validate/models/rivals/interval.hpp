// Interval models: J.-C. Huang et al., "GPUMech" (MICRO 2014), J. Lee et al., "GCoM" (ISCA 2022). One representative
// warp is cut into intervals, a run of instructions followed by a stall; other warps fill the stalls.
#pragma once

#include <cstdint>
#include <span>

#include "validate/models/rivals/launch_view.hpp"

namespace sassafras::validate::rivals {

struct IssueInterval {
    double instructions = 0;  ///< n_i
    double stall = 0;         ///< s_i, cycles
};

enum class WarpOrder : std::uint8_t { round_robin, greedy_then_oldest };

struct IntervalInput {
    std::span<const IssueInterval> intervals;
    double warps = 1;       ///< of a sub-core, this one too
    double issue_rate = 1;  ///< instructions a cycle and sub-core
    WarpOrder order = WarpOrder::greedy_then_oldest;
};

/// Cycles in which a sub-core runs all its warps, without contention (GCoM's base component). The others' hidden work
/// is expected values with the issue probability p = sum n / (sum n + sum s).
[[nodiscard]] double interval_cycles(const IntervalInput& input);

/// GCoM's contention for memory: cycles in which `transactions` pass a memory that takes `cycles_each` for one.
[[nodiscard]] double queue_cycles(double transactions, double cycles_each, double already);

/// The row of compare().
[[nodiscard]] double interval_of(const LaunchView& view);

}  // namespace sassafras::validate::rivals
