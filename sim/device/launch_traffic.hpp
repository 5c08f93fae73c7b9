// What a launch reads and writes beside the accesses of its instructions: the kernel's code, and what the GPU needs to
// start it. Nsight Compute counts it with the rest.
#pragma once

#include "isa/program/program.hpp"
#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// Adds it to the counters of L2 and DRAM (fetch.code_l2_reads and gpu.launch_* say how much, and where that was
/// measured). `in_l2`: an earlier launch of the kernel has left all of it in L2, so DRAM is not asked. It takes no time
/// here: what cold code costs a warp is in fetch.
void count_launch_traffic(MetricCounts& events, const isa::Program& program, const Platform& platform, bool in_l2);

}  // namespace sassafras::sim
