// Bringing a modelled run and a measured one together.
#pragma once

#include <span>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "validate/hardware/measured.hpp"

namespace sassafras::validate {

/// Runs the measured run's workload, with its default input and seed, and returns its launches. Error check_failed if
/// the result is wrong, or whatever the workload reports.
[[nodiscard]] Result<std::vector<sim::KernelResult>> repeat_run(sim::Device& device, const MeasuredRun& measured);

/// Error check_failed unless both have the same kernels in the same order.
[[nodiscard]] Result<void> check_launches(const MeasuredRun& measured, std::span<const sim::KernelResult> modelled);

}  // namespace sassafras::validate
