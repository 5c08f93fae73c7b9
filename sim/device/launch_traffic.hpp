// What a launch reads and writes beside the accesses of its instructions: the kernel's code, and what the GPU needs to
// start it. Nsight Compute counts it with the rest.
#pragma once

#include "isa/program/program.hpp"
#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/far_code.hpp"

namespace sassafras::sim {

/// What launches since L2 was emptied have left in it, so that DRAM is not asked: it is taken to stay there.
struct LaunchesBefore {
    bool any = false;        ///< what every launch reads
    bool of_kernel = false;  ///< the kernel's code
};

/// Adds it to the counters of L2 and DRAM, beside the cycles elapsed, which are known (fetch.code_l2_reads and
/// gpu.launch_* say how much, and where that was measured). It takes no time here: what cold code costs a warp is in
/// fetch. Of a kernel longer than fetch.gpc_launch_lines a launch brings so much to every GPC; `far_code` came to those
/// that asked for it, and counts again where it lies in a partition of L2 that is far from them.
void count_launch_traffic(MetricCounts& events, const isa::Program& program, const Platform& platform,
                          LaunchesBefore before, const CodeBrought& far_code);

}  // namespace sassafras::sim
