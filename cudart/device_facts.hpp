// What the runtime API says of a modelled GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

#include "sim/platform/platform.hpp"

namespace sassafras::cudart {

/// `compute_capability`: 90 for 9.0. Fields that say nothing of the model (textures, PCI, IPC) are 0.
[[nodiscard]] cudaDeviceProp device_properties(const sim::Platform& platform, int compute_capability);

/// Empty for an attribute that the model has no answer to.
[[nodiscard]] std::optional<int> device_attribute(cudaDeviceAttr attribute, const sim::Platform& platform,
                                                  int compute_capability);

/// What cudaDeviceSetLimit makes of `value` on an H200 with CUDA 13.0 (tests/programs/limits.cu); empty where it says
/// cudaErrorInvalidValue.
[[nodiscard]] std::optional<std::size_t> granted_limit(cudaLimit which, std::size_t value);

}  // namespace sassafras::cudart
