// What all launches of a run took together, where some of them were sampled.
#pragma once

#include <optional>
#include <span>

#include "sim/device/device.hpp"

namespace sassafras::sim {

/// By how much the sum of a metric over launches may be off, with 95 % confidence; none if no launch was sampled. What
/// k launches of a kind were given by the same n timed ones is off by what these are off from the kind's mean, k times,
/// and by the scatter of each: variances k^2 / n and k of it. Kinds, and launches timed in waves, are independent.
[[nodiscard]] std::optional<double> half_of_total_interval(std::span<const KernelResult> launches, MetricId metric);

}  // namespace sassafras::sim
