// A real GPU through the CUDA driver.
#pragma once

#include <memory>

#include "core/result.hpp"
#include "sim/device/device.hpp"

namespace sassafras::sim {

struct CudaOptions {
    int ordinal = 0;
    /// Nsight Compute's --cache-control all: before each launch, memory of twice the size of L2 is written, which
    /// evicts what L2 held.
    bool cold_caches = true;
};

/// Each launch records one metric: gpu__time_duration.sum in ns, from a pair of events around it. That includes what
/// the GPU's front end needs between two events (one to three microseconds), which Nsight Compute's metric of this name
/// leaves out. Error bad_input where there is no driver or no GPU.
[[nodiscard]] Result<std::unique_ptr<Device>> make_cuda_device(const CudaOptions& options = {});

}  // namespace sassafras::sim
