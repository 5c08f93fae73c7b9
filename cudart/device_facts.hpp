// What the runtime API says of a modelled GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/platform/platform.hpp"

namespace sassafras::cudart {

/// `compute_capability`: 90 for 9.0. Fields that say nothing of the model (textures, PCI, IPC) are 0.
[[nodiscard]] cudaDeviceProp device_properties(const sim::Platform& platform, int compute_capability);

/// Empty for an attribute that the model has no answer to.
[[nodiscard]] std::optional<int> device_attribute(cudaDeviceAttr attribute, const sim::Platform& platform,
                                                  int compute_capability);

/// What cudaDeviceGetLimit says before a program has set anything; by cudaLimit.
[[nodiscard]] std::vector<std::size_t> initial_limits(const sim::Platform& platform);

/// What cudaDeviceSetLimit makes of `value` (tests/programs/limits.cu); empty where it says cudaErrorInvalidValue.
[[nodiscard]] std::optional<std::size_t> granted_limit(cudaLimit which, std::size_t value,
                                                       const sim::Platform& platform);

}  // namespace sassafras::cudart
