// Values of metrics: what is known, what is printed, and ratios by arithmetic.
#include <catch2/catch.hpp>

#include "sim/metrics/metric_set.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr MetricId active_sum = "sm__cycles_active.sum"_metric;
constexpr MetricId active_mean = "sm__cycles_active.avg"_metric;
constexpr MetricId sm_count = "device__attribute_multiprocessor_count"_metric;
constexpr MetricId executed = "smsp__inst_executed.sum"_metric;
constexpr MetricId hit_rate = "l1tex__t_sector_hit_rate.pct"_metric;

}  // namespace

TEST_CASE("a metric that nothing put is not there, one of 0 is") {
    MetricSet metrics{{executed, 0}};
    CHECK(metrics.find(executed) == 0.0);
    CHECK_FALSE(metrics.find(active_sum));
    CHECK(MetricSet().empty());
    CHECK_FALSE(metrics.empty());
    metrics.erase(executed);
    CHECK(metrics == MetricSet());
    CHECK_FALSE(MetricSet{{executed, 0}} == MetricSet());
}

TEST_CASE("values come in the list's order; parts of ratios are not printed") {
    const MetricSet metrics{{active_sum, 3}, {executed, 2}, {"sm__cycles_elapsed.max"_metric, 1}};
    using Values = std::vector<std::pair<MetricId, double>>;
    CHECK(metrics.reported() == Values{{"sm__cycles_elapsed.max"_metric, 1}, {executed, 2}});
    CHECK(metrics.all() == Values{{"sm__cycles_elapsed.max"_metric, 1}, {executed, 2}, {active_sum, 3}});
}

TEST_CASE("ratios need all that they are computed from; of nothing they are 0") {
    MetricSet metrics{{active_sum, 264}};
    metrics.add_ratios();
    CHECK_FALSE(metrics.find(active_mean));
    metrics.put(sm_count, 132);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"_metric, 3);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup.sum"_metric, 8);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum"_metric, 4);
    metrics.add_ratios();
    CHECK(metrics.find(active_mean) == 2.0);
    CHECK_FALSE(metrics.find(hit_rate));  // what became of stores, and local memory, is not known
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum"_metric, 1);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"_metric, 2);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum"_metric, 4);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum"_metric, 0);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum"_metric, 6);
    metrics.add_ratios();
    CHECK(metrics.find(hit_rate) == 25.0);
    metrics.put(sm_count, 0);
    metrics.add_ratios();
    CHECK(metrics.find(active_mean) == 0.0);
}

TEST_CASE("counts become metrics as far as the device knows them") {
    MetricCounts counts;
    counts[executed] += 5;
    counts["dram__bytes_read.sum"_metric] += 7;
    MetricCounts twice = counts;
    twice += counts;
    MetricSet executes;
    add_counts(executes, twice, KnownBy::execution);
    CHECK(executes.find(executed) == 10.0);
    CHECK(executes.find("smsp__thread_inst_executed.sum"_metric) == 0.0);
    CHECK_FALSE(executes.find("dram__bytes_read.sum"_metric));
    MetricSet times;
    add_counts(times, twice, KnownBy::timing);
    CHECK(times.find("dram__bytes_read.sum"_metric) == 14.0);
    CHECK_FALSE(times.find(hit_rate));
}

TEST_CASE("formulas as people read them") {
    CHECK(formula_text(row_of("lts__t_sector_op_read_hit_rate.pct"_metric)) ==
          "100 * lts__t_sectors_op_read_lookup_hit.sum / lts__t_sectors_op_read.sum");
    CHECK(formula_text(row_of(hit_rate)) ==
          "100 * (l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum + "
          "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum + "
          "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum + "
          "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum) / "
          "(l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup.sum + "
          "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum + "
          "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum + "
          "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum + "
          "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum + "
          "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum)");
    CHECK(formula_text(row_of(active_mean)) == "sm__cycles_active.sum / device__attribute_multiprocessor_count");
}
