// From launches that were timed to one of the same kind that was executed only.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sim/device/device.hpp"
#include "sim/device/sampling/launch_history.hpp"
#include "sim/timing/simulate.hpp"

namespace sassafras::sim {

/// What a launch with these counts came to if its instructions took what those of `timed` did: sums over them, grown
/// by instructions. At least one must be there.
[[nodiscard]] TimingResult like_others(std::span<const TimingResult* const> timed,
                                       const std::vector<InstructionCounts>& counts);

/// The launch's metrics, and for each that was estimated where it lies with 95 % confidence: if others are like it, as
/// one more of them lies (Student's t with their spread). If none are, as one more of its kind, however much they did;
/// and no narrower than from what the nearest say once grown by instructions and once as they are. `metrics_of` says
/// what a timing's metrics are. Returns the launch as estimated.
[[nodiscard]] TimingResult put_launch_estimates(const TimedLaunches& timed,
                                                const std::vector<InstructionCounts>& counts,
                                                const std::function<MetricSet(const TimingResult&)>& metrics_of,
                                                KernelResult& result);

}  // namespace sassafras::sim
