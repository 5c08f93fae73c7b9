// A real GPU through the CUDA driver.
#pragma once

#include <memory>

#include "core/result.hpp"
#include "sim/device/device.hpp"

namespace sassafras::sim {

struct CudaOptions {
    int ordinal = 0;
    /// Nsight Compute's --cache-control all: before each launch, memory of twice the size of L2 is read, which
    /// evicts what L2 held and leaves nothing to be written back (sim/device/cache_eviction.hpp).
    bool cold_caches = true;
};

/// Each launch records one metric: gpu__time_duration.sum in ns, from a pair of events around it, less the time between
/// two events with nothing in between, which is measured when the device is made (1,280 ns on an H200:
/// validate/records/h200/probes/copies.txt). With cold caches the eviction before the launch keeps the GPU busy until
/// the launch is in its queue; without, the time may contain a wait for the host. Error bad_input where there is no
/// driver or no GPU.
[[nodiscard]] Result<std::unique_ptr<Device>> make_cuda_device(const CudaOptions& options = {});

}  // namespace sassafras::sim
