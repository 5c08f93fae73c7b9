// Where a simulated run spent its time, in the terms of the SPT model, so that each of its T can be set beside it.
#pragma once

#include <span>

#include "sim/device/device.hpp"

namespace sassafras::validate {

/// Cycles of a run; the sum is the run's sm__cycles_elapsed.max over all launches.
struct Attribution {
    double g = 0;       ///< global memory
    double s = 0;       ///< shared memory
    double r = 0;       ///< registers: arithmetic, and control flow
    double y = 0;       ///< barriers
    double other = 0;   ///< waiting for instructions, for constants, at branches; sleeping
    double launch = 0;  ///< before the first block and after the last: the platform's overheads of a launch

    [[nodiscard]] double total() const { return g + s + r + y + other + launch; }
};

/// In each cycle a resident warp is in one state, which Nsight Compute calls a stall reason (docs/validation.md has the
/// whole table): waiting for a long scoreboard, for a queue of global memory or for a fence is g; for a short
/// scoreboard or its queue s; at a barrier y; for a fixed latency or a busy pipe r; issuing, or ready but not chosen,
/// is what the instruction is. A launch's time without `launch_overhead_cycles` (at most its time) is divided as the
/// states of all its warps are.
[[nodiscard]] Attribution attribute(std::span<const sim::KernelResult> launches, double launch_overhead_cycles);

}  // namespace sassafras::validate
