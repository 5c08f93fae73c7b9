#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "validate/compare/hardware/metrics.hpp"
#include "validate/compare/hardware/text.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

constexpr auto requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"_metric;
constexpr auto cycles = "sm__cycles_elapsed.max"_metric;
constexpr auto waits = "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"_metric;
constexpr auto selected = "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio"_metric;

MeasuredRun measured(const std::vector<sim::MetricSet>& launches, double unmodelled_stalls = 0) {
    MeasuredRun run{"sort", "mgpu", 64, {}, UsedFor::model};
    for (const sim::MetricSet& metrics : launches) {
        MeasuredLaunch launch;
        launch.kernel = "tile";
        launch.metrics = metrics;
        launch.unmodelled_stalls = unmodelled_stalls;
        run.launches.push_back(launch);
    }
    return run;
}

std::vector<sim::KernelResult> simulated(const std::vector<sim::MetricSet>& launches) {
    std::vector<sim::KernelResult> results;
    for (const sim::MetricSet& metrics : launches) {
        sim::KernelResult result;
        result.name = "tile";
        result.metrics = metrics;
        results.push_back(result);
    }
    return results;
}

}  // namespace

TEST_CASE("metrics that both sides have are compared by name, cycles and stalls elsewhere") {
    std::vector<MetricComparison> comparisons;
    const auto run = measured({{{requests, 100}, {cycles, 1}, {waits, 1}}, {{requests, 100}, {cycles, 1}}});
    REQUIRE(add_metrics(comparisons, run, simulated({{{requests, 105}, {cycles, 2}, {waits, 2}}, {{requests, 94}}})));
    REQUIRE(comparisons.size() == 1);
    CHECK(comparisons[0].metric == requests);
    REQUIRE(comparisons[0].launches.size() == 2);
    CHECK(comparisons[0].launches[0].error_percent() == Approx(5));
    CHECK(comparisons[0].launches[1].error_percent() == Approx(-6));
    CHECK(comparisons[0].launches[1].where == "sort mgpu n=64, launch 1, tile");
    const std::string table = metrics_table(comparisons);
    CHECK(table.find("metrics: 1 of 2 values within 5 % (50.0 %)") != std::string::npos);
    CHECK(within_tolerance_percent(comparisons) == Approx(50));
}

TEST_CASE("a metric that is 0 on the hardware is right if it is 0") {
    CHECK(MetricPair{"", 0, 0}.error_percent() == 0);
    CHECK(MetricPair{"", 0, 3}.error_percent() == 100);
    CHECK(MetricPair{"", 3, 0}.error_percent() == -100);
}

TEST_CASE("launches of other kernels are not compared") {
    std::vector<MetricComparison> comparisons;
    auto other = simulated({{{requests, 1}}});
    other[0].name = "merge";
    const auto done = add_metrics(comparisons, measured({{{requests, 1}}}), other);
    REQUIRE_FALSE(done.ok());
    CHECK(done.error().kind == ErrorKind::check_failed);
    CHECK_FALSE(compare_stalls(measured({{{waits, 1}}}), other).ok());
}

TEST_CASE("stall reasons are compared as shares of warp time, those that are not modelled among them") {
    // On the hardware 2 of 4 warps wait, 1 is selected and 1 drains; here 3 of 4 wait.
    const auto launches =
        compare_stalls(measured({{{waits, 2}, {selected, 1}}}, 1), simulated({{{waits, 3}, {selected, 1}}}));
    REQUIRE(launches.ok());
    REQUIRE(launches->size() == 1);
    const StallShares& shares = launches->front();
    CHECK(shares.reasons[sim::index_of(sim::Stall::wait)].measured == Approx(50));
    CHECK(shares.reasons[sim::index_of(sim::Stall::wait)].simulated == Approx(75));
    CHECK(shares.reasons.back().measured == Approx(25));
    CHECK(shares.moved_percent() == Approx(25));
    CHECK(stalls_table(*launches).find("25.0 % of warp time under another reason") != std::string::npos);
}

TEST_CASE("launches without recorded reasons have no shares") {
    const auto launches = compare_stalls(measured({{{requests, 2}}}), simulated({{{waits, 3}}}));
    REQUIRE(launches.ok());
    CHECK(launches->empty());
    CHECK(stalls_table(*launches) == "no stall reasons compared\n");
}
