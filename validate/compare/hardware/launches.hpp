// Bringing a modelled run and a measured one together.
#pragma once

#include <span>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "validate/records/measured.hpp"
#include "workloads/workload.hpp"

namespace sassafras::validate {

/// What to run to repeat a measured run. Its variant may carry options, VARIANT+E=15+input=sorted; the input `worst` of
/// sort is what `worst-case` makes for the run's E and b. Error bad_input for an option without a value.
[[nodiscard]] Result<workloads::WorkloadRequest> request_of(const MeasuredRun& measured);

/// Runs it, with the default seed, and returns its launches. Error check_failed if the result is wrong, or whatever the
/// workload reports.
[[nodiscard]] Result<std::vector<sim::KernelResult>> repeat_run(sim::Device& device, const MeasuredRun& measured);

/// Error check_failed unless both have the same kernels in the same order.
[[nodiscard]] Result<void> check_launches(const MeasuredRun& measured, std::span<const sim::KernelResult> modelled);

}  // namespace sassafras::validate
