// The full set of a launch's metrics: what Nsight Compute's sections have beside the counted ones. Computed once, when
// a launch has ended, from counts by instruction, the platform and what was counted; a launch that nobody asks them of
// pays nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/device/device.hpp"
#include "sim/metrics/metric_set.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/traffic.hpp"

namespace sassafras::sim {

/// What is known of a launch that has ended. References live as long as the call.
struct EndedLaunch {
    const isa::Program& program;
    const Launch& launch;
    const std::vector<InstructionCounts>& counts;  ///< by instruction
    const Platform& platform;
    std::uint64_t subcore_cycles_active = 0;  ///< of sub-cores with a warp
    L1Traffic l1_traffic;
    L2Traffic l2_traffic;
};

/// Adds what the full set has and what is known of it: without time (no elapsed cycles in the metrics) only what
/// execution says.
void put_full_set(MetricSet& metrics, const EndedLaunch& ended);

/// Registers of a thread as Nsight Compute says them: the driver asks for no fewer than 16 (validate/records/h200/full:
/// kernels of 9 to 14 have 16).
[[nodiscard]] constexpr std::uint32_t registers_at_launch(std::uint32_t declared) {
    constexpr std::uint32_t fewest = 16;
    return declared < fewest ? fewest : declared;
}

/// Families of it, each beside the rows of the same name in sim/metrics. Those of time divide by cycles, which are not
/// 0.
void put_launch_metrics(MetricSet& metrics, const EndedLaunch& ended);
void put_instruction_metrics(MetricSet& metrics, const EndedLaunch& ended);
void put_pipe_metrics(MetricSet& metrics, const EndedLaunch& ended);
void put_scheduler_metrics(MetricSet& metrics, const EndedLaunch& ended);
void put_memory_metrics(MetricSet& metrics, const EndedLaunch& ended);
void put_l2_metrics(MetricSet& metrics, const EndedLaunch& ended);
/// Of the peaks of L1, L2 and device memory: behind the others, of which it takes some.
void put_memory_shares(MetricSet& metrics, const EndedLaunch& ended);

}  // namespace sassafras::sim
