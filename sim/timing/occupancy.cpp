#include "sim/timing/occupancy.hpp"

#include <algorithm>

#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

namespace {

/// What the driver wants to have carved out, unless a program asks for something else: what the blocks that would be
/// there without shared memory have of their own, and the reserved part of as many blocks as an SM can ever hold; if
/// these do not fit, what those take that do. Inferred from launch__shared_mem_config_size of 27 shapes of launches on
/// an H200, of which one takes more (validate/records/h200/full).
std::uint64_t wanted_carve_out(const KernelResources& kernel, std::uint64_t granted, const Occupancy& fits,
                               const SmParameters& sm) {
    const std::uint64_t others = std::min({fits.limit_blocks, fits.limit_warps, fits.limit_registers});
    if (granted * others > sm.shared_bytes) return granted * fits.blocks;
    return kernel.shared_bytes * others + std::uint64_t{sm.reserved_shared_per_block_bytes} * sm.max_blocks;
}

std::uint32_t warps_of(const KernelResources& kernel) { return (kernel.threads_per_block + warp_size - 1) / warp_size; }

/// Registers belong to sub-cores: a sub-core holds whole warps only.
std::uint32_t warps_by_registers(const KernelResources& kernel, const SmParameters& sm) {
    const std::uint32_t unit = sm.register_allocation_unit;
    const std::uint32_t a_warp =
        std::max<std::uint32_t>(1, (kernel.registers_per_thread * warp_size + unit - 1) / unit) * unit;
    return sm.registers / sm.subcores / a_warp * sm.subcores;
}

/// Bytes of shared memory that a block gets.
std::uint64_t granted_shared(const KernelResources& kernel, const SmParameters& sm) {
    const std::uint64_t shared = kernel.shared_bytes + sm.reserved_shared_per_block_bytes;
    const std::uint64_t granule = sm.shared_allocation_unit_bytes;
    return (shared + granule - 1) / granule * granule;
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

BlockShares block_shares(const KernelResources& kernel, const Platform& platform) {
    const SmParameters& sm = platform.sm;
    const std::uint32_t warps = warps_of(kernel);
    return {.blocks = share(1, sm.max_blocks),
            .warps = share(warps, sm.max_warps),
            .registers = share(warps, warps_by_registers(kernel, sm)),
            .shared = share(granted_shared(kernel, sm), sm.shared_bytes)};
}

Occupancy occupancy(const KernelResources& kernel, const Platform& platform) {
    const SmParameters& sm = platform.sm;
    Occupancy result;
    const std::uint32_t warps = warps_of(kernel);
    result.warps_per_block = warps;
    result.limit_blocks = sm.max_blocks;
    result.limit_warps = warps == 0 ? 0 : sm.max_warps / warps;
    result.limit_registers = warps == 0 ? 0 : warps_by_registers(kernel, sm) / warps;
    const std::uint64_t granted = granted_shared(kernel, sm);
    result.limit_shared = granted == 0 ? sm.max_blocks : static_cast<std::uint32_t>(sm.shared_bytes / granted);
    result.blocks = std::min({result.limit_blocks, result.limit_warps, result.limit_registers, result.limit_shared});
    const std::uint64_t wanted =
        std::min<std::uint64_t>(wanted_carve_out(kernel, granted, result, sm), sm.shared_bytes);
    const auto fitting = std::lower_bound(sm.shared_carve_outs_bytes.begin(), sm.shared_carve_outs_bytes.end(), wanted);
    result.carve_out_bytes =
        fitting == sm.shared_carve_outs_bytes.end() ? sm.shared_bytes : std::min(*fitting, sm.shared_bytes);
    const std::uint64_t not_l1 = result.carve_out_bytes + sm.l1_reserved_bytes;
    result.l1_bytes = sm.unified_l1_bytes > not_l1 ? sm.unified_l1_bytes - not_l1 : 0;
    return result;
}

}  // namespace sassafras::sim
