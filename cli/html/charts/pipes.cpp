#include <array>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

namespace {

constexpr auto pipe_metrics = std::to_array<sim::MetricId>({
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"_metric,
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"_metric,
    "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"_metric,
    "sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active"_metric,
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"_metric,
    "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"_metric,
    "sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_active"_metric,
    "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_active"_metric,
    "sm__inst_executed_pipe_cbu.avg.pct_of_peak_sustained_active"_metric,
});

}  // namespace

Spec pipes(const LaunchSource& launch) {
    Spec values = Spec::array();
    for (const sim::MetricId metric : pipe_metrics)
        if (const auto percent = launch.kernel.metrics.find(metric))
            values.push_back(
                {{"pipe", row_of(metric).details.label}, {"percent", *percent}, {"metric", name_of(metric)}});
    return bars(std::move(values),
                {.name = "pipe", .value = "percent", .x = "% of peak, in cycles with a warp", .most = 100});
}

}  // namespace sassafras::cli::charts
