// V. Volkov, "Understanding latency hiding on GPUs" (EECS-2016-143, Berkeley 2016), chapter 4.
#pragma once

#include "validate/models/rivals/launch_view.hpp"

namespace sassafras::validate::rivals {

/// A kernel of one memory instruction and `intensity` (alpha) dependent arithmetic ones, over and over. Latencies in
/// cycles, throughputs in warp instructions a cycle and SM.
struct VolkovInput {
    double intensity = 0;  ///< alpha
    double memory_latency = 0;
    double arithmetic_latency = 0;
    double memory_throughput = 0;
    double arithmetic_throughput = 0;
    double issue_throughput = 0;  ///< of all instructions
};

/// Throughput of memory instructions, a cycle and SM, with `warps` a SM: the least of Little's law and of the three
/// bounds. Assumes that throughput saturates at once where the bound is reached; real curves bend before.
[[nodiscard]] double volkov_throughput(const VolkovInput& input, double warps);

/// Warps that hide all latency.
[[nodiscard]] double volkov_warps(const VolkovInput& input);

/// The intensity at which most warps are needed (the cusp): arithmetic and memory are both at their bounds.
[[nodiscard]] double volkov_cusp(const VolkovInput& input);

/// The rows of compare(): time; warps an SM that hide all latency; the cusp. Of the last two a launch without global
/// memory has none, 0.
[[nodiscard]] double volkov_of(const LaunchView& view);
[[nodiscard]] double volkov_warps_of(const LaunchView& view);
[[nodiscard]] double volkov_cusp_of(const LaunchView& view);

}  // namespace sassafras::validate::rivals
