#include "sim/device/launch_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sassafras::sim {

namespace {

std::string text(const Dim3& e) { return fmt::format("({}, {}, {})", e.x, e.y, e.z); }

bool within(const Dim3& extents, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return extents.x <= x && extents.y <= y && extents.z <= z;
}

/// What, remedy.
using Fault = std::optional<std::pair<std::string, std::string>>;

Fault fault_of_extents(const Platform& platform, const isa::Kernel& kernel, const Dim3& grid, const Dim3& block) {
    const LimitsParameters& limits = platform.limits;
    if (grid.volume() == 0 || block.volume() == 0)
        return {{fmt::format("grid {} of blocks {} is empty", text(grid), text(block)), "extents are at least 1"}};
    if (!within(grid, limits.max_grid_x, limits.max_grid_y, limits.max_grid_z))
        return {{fmt::format("grid {} is too large", text(grid)),
                 fmt::format("at most ({}, {}, {}) blocks", limits.max_grid_x, limits.max_grid_y, limits.max_grid_z)}};
    const std::uint32_t most = std::min(platform.sm.max_threads_per_block, kernel.max_threads);
    if (block.volume() > most || !within(block, limits.max_block_x, limits.max_block_y, limits.max_block_z))
        return {
            {fmt::format("too many threads in a block: {} are {}, at most {}{}, {} of them in z", text(block),
                         block.volume(), most,
                         kernel.max_threads < platform.sm.max_threads_per_block ? " (the kernel's launch bound)" : "",
                         limits.max_block_z),
             "choose a smaller block"}};
    return std::nullopt;
}

Fault fault_of_shared_memory(const Platform& platform, const isa::Kernel& kernel, const Launch& launch,
                             std::optional<Bytes> dynamic_limit) {
    if (dynamic_limit && launch.dynamic_shared.count > dynamic_limit->count)
        return {{fmt::format("too much shared memory: {} bytes dynamic, at most {}", launch.dynamic_shared.count,
                             dynamic_limit->count),
                 "ask for more with cudaFuncSetAttribute"}};
    const std::uint64_t most = platform.sm.max_shared_per_block_bytes;
    if (kernel.static_shared.count + launch.dynamic_shared.count > most)
        return {{fmt::format("too much shared memory: {} bytes static and {} dynamic, at most {} together",
                             kernel.static_shared.count, launch.dynamic_shared.count, most),
                 "use less of it"}};
    return std::nullopt;
}

Fault fault_of_room(const Platform& platform, const isa::Kernel& kernel, const Launch& launch, const Occupancy& fits) {
    if (fits.blocks != 0) return std::nullopt;
    const SmParameters& sm = platform.sm;
    return {{fmt::format("a block does not fit into an SM: {} warps of {} registers a thread and {} bytes of shared "
                         "memory; an SM has {} warps, {} registers and {} bytes",
                         fits.warps_per_block, kernel.registers_per_thread,
                         kernel.static_shared.count + launch.dynamic_shared.count, sm.max_warps, sm.registers,
                         sm.shared_bytes),
             "choose a smaller block, or compile with fewer registers"}};
}

Fault fault_of_cooperation(const Platform& platform, const Launch& launch, const Occupancy& fits) {
    const std::uint64_t resident = std::uint64_t{platform.gpu.sm_count} * fits.blocks;
    if (!launch.cooperative || launch.grid.volume() <= resident) return std::nullopt;
    return {
        {fmt::format("a cooperative launch of {} blocks; {} are on the GPU at a time", launch.grid.volume(), resident),
         "launch at most as many blocks as fit"}};
}

Fault fault_of_required_block(const isa::Kernel& kernel, const Dim3& block) {
    if (kernel.required_block.volume() == 0 || block == kernel.required_block) return std::nullopt;
    return {{fmt::format("the kernel is compiled for blocks of {}, not {}", text(kernel.required_block), text(block)),
             "launch it with that block"}};
}

}  // namespace

std::optional<LaunchRefusal> find_launch_refusal(const Platform& platform, const isa::Kernel& kernel,
                                                 const Launch& launch, const std::string& where,
                                                 std::optional<Bytes> dynamic_shared_limit) {
    const auto refuse = [&](LaunchRule rule, std::pair<std::string, std::string> fault) {
        return LaunchRefusal{rule, {ErrorKind::bad_input, std::move(fault.first), where, std::move(fault.second)}};
    };
    if (auto fault = fault_of_extents(platform, kernel, launch.grid, launch.block))
        return refuse(LaunchRule::extents, *std::move(fault));
    if (auto fault = fault_of_shared_memory(platform, kernel, launch, dynamic_shared_limit))
        return refuse(LaunchRule::shared_memory, *std::move(fault));
    const Occupancy fits = occupancy(resources_of(kernel, launch), platform);
    if (auto fault = fault_of_room(platform, kernel, launch, fits)) return refuse(LaunchRule::room, *std::move(fault));
    if (auto fault = fault_of_cooperation(platform, launch, fits))
        return refuse(LaunchRule::cooperation, *std::move(fault));
    if (auto fault = fault_of_required_block(kernel, launch.block))
        return refuse(LaunchRule::required_block, *std::move(fault));
    return std::nullopt;
}

Result<void> check_launch(const Platform& platform, const isa::Kernel& kernel, const Launch& launch,
                          const std::string& where) {
    if (auto refusal = find_launch_refusal(platform, kernel, launch, where)) return std::move(refusal->error);
    return {};
}

Bytes standard_dynamic_shared(const Platform& platform, const isa::Kernel& kernel) {
    const std::uint64_t most =
        std::min(platform.limits.standard_shared_per_block_bytes, platform.sm.max_shared_per_block_bytes);
    return Bytes{most - std::min(most, kernel.static_shared.count)};
}

KernelResources resources_of(const isa::Kernel& kernel, const Launch& launch) {
    return {static_cast<std::uint32_t>(launch.block.volume()), kernel.registers_per_thread,
            kernel.static_shared.count + launch.dynamic_shared.count};
}

}  // namespace sassafras::sim
