// How many blocks of a kernel an SM holds at a time, and what is left for L1.
#pragma once

#include <cstdint>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

struct KernelResources {
    std::uint32_t threads_per_block = 0;
    std::uint32_t registers_per_thread = 0;
    std::uint64_t shared_bytes = 0;  ///< static and dynamic, without the reserved part
};

struct Occupancy {
    std::uint32_t blocks = 0;  ///< an SM; 0: the kernel does not fit
    std::uint32_t warps_per_block = 0;
    std::uint32_t limit_registers = 0;
    std::uint32_t limit_shared = 0;
    std::uint32_t limit_warps = 0;
    std::uint32_t limit_blocks = 0;
    std::uint64_t l1_bytes = 0;  ///< what the shared-memory carve-out leaves
};

[[nodiscard]] Occupancy occupancy(const KernelResources& kernel, const Platform& platform);

}  // namespace sassafras::sim
