#include <algorithm>
#include <array>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

namespace {

struct LimitOfBlocks {
    std::string_view name;
    sim::MetricId metric;
};

constexpr auto limits_of_blocks = std::to_array<LimitOfBlocks>({
    {"limit by blocks", "launch__occupancy_limit_blocks"_metric},
    {"limit by registers", "launch__occupancy_limit_registers"_metric},
    {"limit by shared memory", "launch__occupancy_limit_shared_mem"_metric},
    {"limit by warps", "launch__occupancy_limit_warps"_metric},
});

}  // namespace

Spec occupancy(const LaunchSource& launch) {
    const sim::MetricSet& metrics = launch.kernel.metrics;
    const auto room = metrics.find("device__attribute_max_warps_per_multiprocessor"_metric);
    if (!room || *room <= 0) return nullptr;
    const Dim3& block = launch.kernel.block;
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    const auto warps_of_block = static_cast<double>((threads + warp_size - 1) / warp_size);
    Spec values = Spec::array();
    for (const LimitOfBlocks& limit : limits_of_blocks)
        if (const auto blocks = metrics.find(limit.metric))
            values.push_back({{"what", limit.name},
                              {"warps", std::min(*blocks * warps_of_block, *room)},
                              {"kind", "fit on an SM"},
                              {"blocks", *blocks}});
    const auto put = [&](const char* what, sim::MetricId metric) {
        if (const auto percent = metrics.find(metric))
            values.push_back({{"what", what},
                              {"warps", *percent * *room / 100},
                              {"kind", "occupancy"},
                              {"blocks", *percent * *room / 100 / warps_of_block}});
    };
    put("theoretical", "sm__maximum_warps_per_active_cycle_pct"_metric);
    put("achieved", "sm__warps_active.avg.pct_of_peak_sustained_active"_metric);
    return bars(std::move(values),
                {.name = "what", .value = "warps", .x = "warps of an SM", .color = "kind", .most = *room});
}

}  // namespace sassafras::cli::charts
