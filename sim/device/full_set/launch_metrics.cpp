#include <algorithm>
#include <cmath>

#include "sim/device/full_set/full_set.hpp"
#include "sim/device/launch_check.hpp"
#include "sim/timing/occupancy.hpp"

namespace sassafras::sim {

namespace {

std::uint64_t in_units(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

void put_launch_metrics(MetricSet& metrics, const EndedLaunch& ended) {
    const SmParameters& sm = ended.platform.sm;
    const KernelLaunch& launch = ended.launch;
    const isa::Kernel& kernel = ended.program.kernel;
    const Occupancy fits = occupancy(resources_of(kernel, launch), ended.platform);
    const auto put = [&](MetricId id, auto value) { metrics.put(id, static_cast<double>(value)); };

    put("launch__grid_size"_metric, launch.grid.volume());
    put("launch__grid_dim_x"_metric, launch.grid.x);
    put("launch__grid_dim_y"_metric, launch.grid.y);
    put("launch__grid_dim_z"_metric, launch.grid.z);
    put("launch__block_size"_metric, launch.block.volume());
    put("launch__block_dim_x"_metric, launch.block.x);
    put("launch__block_dim_y"_metric, launch.block.y);
    put("launch__block_dim_z"_metric, launch.block.z);
    put("launch__thread_count"_metric, launch.grid.volume() * launch.block.volume());
    if (fits.blocks != 0)
        put("launch__waves_per_multiprocessor"_metric,
            static_cast<double>(launch.grid.volume()) / (double{1} * fits.blocks * ended.platform.gpu.sm_count));

    const std::uint64_t own = kernel.static_shared.count + launch.dynamic_shared.count;
    const std::uint64_t shared = own + sm.reserved_shared_per_block_bytes;
    const std::uint64_t granted = in_units(shared, std::max<std::uint64_t>(1, sm.shared_allocation_unit_bytes));
    put("launch__shared_mem_per_block"_metric, shared);
    put("launch__shared_mem_per_block_static"_metric, kernel.static_shared.count);
    put("launch__shared_mem_per_block_dynamic"_metric, launch.dynamic_shared.count);
    put("launch__shared_mem_per_block_allocated"_metric, granted);
    put("launch__shared_mem_per_block_driver"_metric, sm.reserved_shared_per_block_bytes);
    const std::uint64_t not_shared = fits.l1_bytes + sm.l1_reserved_bytes;
    const std::uint64_t carved_out = sm.unified_l1_bytes > not_shared ? sm.unified_l1_bytes - not_shared : 0;
    if (carved_out != 0) put("launch__shared_mem_config_size"_metric, carved_out);
    put("launch__registers_per_thread"_metric, registers_at_launch(kernel.registers_per_thread));
    put("launch__registers_per_thread_allocated"_metric,
        in_units(std::uint64_t{kernel.registers_per_thread} * warp_size, sm.register_allocation_unit) / warp_size);
    put("launch__barrier_count"_metric, kernel.barrier_count);
    put("launch__stack_size"_metric, launch.stack.count);
    put("launch__sm_count"_metric, ended.platform.gpu.sm_count);

    // How many blocks fit if nothing else bound them, into what is carved out for as many as do.
    put("launch__occupancy_limit_blocks"_metric, fits.limit_blocks);
    put("launch__occupancy_limit_registers"_metric, fits.limit_registers);
    put("launch__occupancy_limit_shared_mem"_metric,
        granted == 0 || carved_out == 0 ? fits.limit_shared : carved_out / granted);
    put("launch__occupancy_limit_warps"_metric, fits.limit_warps);
}

}  // namespace sassafras::sim
