// From some windows of a launch to all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/device/device.hpp"
#include "sim/timing/simulate.hpp"

namespace sassafras::sim {

/// What was executed and not timed: warp instructions before the first window, between two, and behind the last.
using UntimedInstructions = std::vector<std::uint64_t>;

/// What the timed blocks came to, grown by the instructions that were not timed: each as the windows beside it grew it
/// by theirs, which lie between two marks of `timed` each; window `without` is left out (none if there is no such).
/// `counts`: of the instructions of all blocks, which are known. `sms`: of the GPU, all of which are busy meanwhile.
[[nodiscard]] TimingResult estimate_launch(const TimingResult& timed, const UntimedInstructions& untimed,
                                           const std::vector<InstructionCounts>& counts, std::uint64_t sms,
                                           std::size_t without);

/// The metrics of a whole launch, and the interval of each that was estimated: 95 % by the jackknife over the windows,
/// with Student's t; by how long the launch's end lasts, which may be longer or shorter; and by what windows were found
/// to be off otherwise (decision 0040). `metrics_of` says what a timing's metrics are. Returns the launch as estimated.
[[nodiscard]] TimingResult put_estimates(const TimingResult& timed, const UntimedInstructions& untimed,
                                         const std::vector<InstructionCounts>& counts, std::uint64_t sms,
                                         const std::function<MetricSet(const TimingResult&)>& metrics_of,
                                         KernelResult& result);

}  // namespace sassafras::sim
