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
    std::uint64_t carve_out_bytes = 0;  ///< of shared memory that an SM has when the kernel's blocks come first
    std::uint64_t l1_bytes = 0;         ///< what that leaves
};

[[nodiscard]] Occupancy occupancy(const KernelResources& kernel, const Platform& platform);

/// What a block takes of its SM, each as a share of what the SM has: it fits where all of them are free.
struct BlockShares {
    double blocks = 0;
    double warps = 0;
    double registers = 0;
    double shared = 0;
};

[[nodiscard]] BlockShares block_shares(const KernelResources& kernel, const Platform& platform);

}  // namespace sassafras::sim
