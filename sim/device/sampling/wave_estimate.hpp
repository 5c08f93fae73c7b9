// From some waves of a launch to all of it.
#pragma once

#include <functional>
#include <vector>

#include "sim/device/device.hpp"
#include "sim/device/sampling/wave_plan.hpp"
#include "sim/timing/simulate.hpp"

namespace sassafras::sim {

/// What the timed blocks came to, grown by the instructions that were not timed, as the measured waves grew it by
/// theirs; wave `without` is left out (none if it is `measured`). `counts`: of the instructions of all blocks, which
/// are known. `sms`: of the GPU, all of which are busy meanwhile.
[[nodiscard]] TimingResult estimate_launch(const TimingResult& timed, const WavePlan& plan,
                                           const std::vector<InstructionCounts>& counts, std::uint64_t sms,
                                           std::uint64_t without);

/// The metrics of a whole launch, and the interval of each that was estimated: 95 % by the jackknife over the measured
/// waves, with Student's t, and by how long the launch's end lasts, which may be longer or shorter. `metrics_of` says
/// what a timing's metrics are. Returns the launch as estimated.
[[nodiscard]] TimingResult put_estimates(const TimingResult& timed, const WavePlan& plan,
                                         const std::vector<InstructionCounts>& counts, std::uint64_t sms,
                                         const std::function<MetricSet(const TimingResult&)>& metrics_of,
                                         KernelResult& result);

}  // namespace sassafras::sim
