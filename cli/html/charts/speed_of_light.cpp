#include <array>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

namespace {

struct UnitOfChip {
    std::string_view name;
    std::string_view side;
    sim::MetricId metric;
};

constexpr auto units_of_chip = std::to_array<UnitOfChip>({
    {"Compute (SM)", "compute", "sm__throughput.avg.pct_of_peak_sustained_elapsed"_metric},
    {"Shared memory", "memory", "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L1/TEX", "memory", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L2", "memory", "model__l2_slices.avg.pct_of_peak_sustained_elapsed"_metric},
    {"DRAM", "memory", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"_metric},
});

}  // namespace

Spec speed_of_light(const LaunchSource& launch) {
    Spec values = Spec::array();
    for (const UnitOfChip& unit : units_of_chip)
        if (const auto percent = launch.kernel.metrics.find(unit.metric))
            values.push_back(
                {{"unit", unit.name}, {"percent", *percent}, {"side", unit.side}, {"metric", name_of(unit.metric)}});
    return bars(std::move(values),
                {.name = "unit", .value = "percent", .x = "% of peak", .color = "side", .most = 100});
}

}  // namespace sassafras::cli::charts
