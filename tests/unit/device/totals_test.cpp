// What launches together have.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/device/device.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr MetricId cycles = "sm__cycles_elapsed.max"_metric;

KernelResult launch(double elapsed, double hits, double looked_for) {
    KernelResult result;
    result.metrics = {{cycles, elapsed},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"_metric, hits},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup.sum"_metric, looked_for},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum"_metric, 0},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum"_metric, 0},
                      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"_metric, 0},
                      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum"_metric, 0},
                      {"l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum"_metric, 0},
                      {"l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum"_metric, 0},
                      {"sm__maximum_warps_per_active_cycle_pct"_metric, 50}};
    result.metrics.add_ratios();
    return result;
}

}  // namespace

TEST_CASE("counts add up, rates are those of all the counts, and what describes one launch has no total") {
    const std::vector<KernelResult> launches{launch(100, 1, 10), launch(50, 60, 90)};
    CHECK(launches[0].metric("l1tex__t_sector_hit_rate.pct"_metric) == 10);
    CHECK(total_of(launches, cycles) == 150.0);
    CHECK(total_of(launches, "l1tex__t_sector_hit_rate.pct"_metric) == 61.0);
    CHECK_FALSE(total_of(launches, "sm__maximum_warps_per_active_cycle_pct"_metric));
}

TEST_CASE("a launch that lacks a metric leaves no total") {
    const std::vector<KernelResult> launches{launch(100, 1, 10), KernelResult{}};
    CHECK_FALSE(total_of(launches, cycles));
    CHECK_FALSE(total_of(launches, "l1tex__t_sector_hit_rate.pct"_metric));
    CHECK(total_of({}, cycles) == 0.0);
}
