// The one check of a launch: the modelled devices, replays and the runtime library ask here whether a platform takes
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "isa/cubin/cubin.hpp"
#include "sim/device/device.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/occupancy.hpp"

namespace sassafras::sim {

/// What a launch breaks; each is an error of its own for a program.
enum class LaunchRule : std::uint8_t {
    extents,         ///< of grid and block: within the platform's, and the kernel's launch bound
    shared_memory,   ///< static and dynamic: within a block's
    room,            ///< one block fits into an SM
    cooperation,     ///< all blocks of a cooperative launch are on the GPU at a time
    required_block,  ///< the block that the kernel was compiled for
};

struct LaunchRefusal {
    LaunchRule rule = LaunchRule::extents;
    Error error;  ///< bad_input
};

/// The first rule, in the order above, that the launch breaks; empty if it may run. `dynamic_shared_limit` is the
/// program's own limit (cudaFuncAttributeMaxDynamicSharedMemorySize), where it has one. `where` names the kernel.
[[nodiscard]] std::optional<LaunchRefusal> find_launch_refusal(const Platform& platform, const isa::Kernel& kernel,
                                                               const Launch& launch, const std::string& where,
                                                               std::optional<Bytes> dynamic_shared_limit = {});

/// The same as a result: error bad_input unless the launch may run.
[[nodiscard]] Result<void> check_launch(const Platform& platform, const isa::Kernel& kernel, const Launch& launch,
                                        const std::string& where);

/// Dynamic shared memory of a block that has not asked for more than CUDA gives all.
[[nodiscard]] Bytes standard_dynamic_shared(const Platform& platform, const isa::Kernel& kernel);

/// What a block of this launch takes of an SM.
[[nodiscard]] KernelResources resources_of(const isa::Kernel& kernel, const Launch& launch);

}  // namespace sassafras::sim
