// How near a launch comes to the peaks of the GPU, by the shares that the section GPU Speed Of Light has.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/device/device.hpp"
#include "study/diagnose/classify.hpp"

namespace sassafras::study {

/// Per cent of the peaks, over the launch's whole time.
struct SpeedOfLight {
    double compute = 0;        ///< the busiest pipe of an SM, or its issue slots
    double memory = 0;         ///< the greatest of L1, L2 and device memory
    std::string_view level{};  ///< whose share that is: "L1", "shared memory", "L2", "DRAM"

    [[nodiscard]] bool is_of_memory() const { return memory > compute; }
    [[nodiscard]] double greater() const { return is_of_memory() ? memory : compute; }
};

/// None where the full set of metrics is not there, as without time.
[[nodiscard]] std::optional<SpeedOfLight> speed_of_light(const sim::KernelResult& result);

/// What bounds the launch by these shares: the greater of the two, where it is more than what Nsight Compute calls low.
/// Where both are low, what the levels of single units say, of which some are of the model's own peaks; else latency.
[[nodiscard]] Verdict verdict_of(const SpeedOfLight& shares, const Verdict& by_units);

/// What Nsight Compute's rule of that section says of them, where that is the verdict.
[[nodiscard]] std::string advice_of(const SpeedOfLight& shares);

}  // namespace sassafras::study
