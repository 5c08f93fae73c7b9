// The machine code of a workload for the GPU that a device is. The cubins for sm_90 are embedded as they are, those for
// other architectures compressed (NAME.sm_80.zst beside NAME.cubin).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"

namespace sassafras::workloads {

/// `sm_90` and `origin` are an accessor of cubins.hpp and its file, "workloads/FAMILY/NAME.cubin". Gives the bytes of
/// the newest code of that name that a GPU of this compute capability runs. Error bad_input if there is none.
[[nodiscard]] Result<std::vector<std::byte>> cubin_for(isa::ComputeCapability gpu, std::span<const std::byte> sm_90,
                                                       std::string_view origin);

/// Loads that code.
[[nodiscard]] Result<sim::ModuleId> load_cubin(sim::Device& device, std::span<const std::byte> sm_90,
                                               std::string_view origin);

}  // namespace sassafras::workloads
