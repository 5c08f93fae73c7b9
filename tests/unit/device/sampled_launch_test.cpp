// A launch of which some waves are timed: what it says of the whole, at any number of threads, and how far it has come.
#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

#include "sim/device/timed_run.hpp"
#include "tests/unit/timing/scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint32_t blocks = 4000;
constexpr MetricId elapsed = "sm__cycles_elapsed.max"_metric;

/// Blocks that have nothing to do with one another.
class Independent final : public test::ScriptedSource {
  public:
    using ScriptedSource::ScriptedSource;
    [[nodiscard]] bool depends_on_order() const override { return false; }
};

Platform two_sms() {
    Platform platform = test::bare_platform();
    platform.gpu.sm_count = 2;
    return platform;
}

KernelResult run(ModelOptions options) {
    const auto walk = [](WarpTrace& trace, std::uint32_t warp) {
        test::lanes_at(std::uint64_t{1 << 20} - warp * std::uint64_t{4096}, 64)(trace, warp);
    };
    const test::Script script = test::Script().add(test::ldg, {.stall = 1, .write_barrier = 0}, 8, walk).exit(1);
    Independent source(script, blocks, 4);
    Launch launch;
    launch.grid = source.shape().grid;
    launch.block = source.shape().block;
    TimedRun timed(two_sms(), options);
    KernelResult result;
    const auto done =
        options.sample ? timed.run_sampled(source, launch, {}, 0, result) : timed.run(source, launch, {}, 0, result);
    REQUIRE(done);
    CHECK(source.finished == blocks);
    return result;
}

KernelResult sampled(std::uint32_t threads = 1) {
    ModelOptions options;
    options.sample = true;
    options.threads = threads;
    return run(options);
}

}  // namespace

TEST_CASE("of a sampled launch counts are the whole one's and the interval holds its cycles") {
    const KernelResult whole = run({});
    const KernelResult some = sampled();
    REQUIRE(some.sampling);
    CHECK(some.sampling->timed_blocks < blocks / 2);
    for (const MetricId exact : {"smsp__inst_executed.sum"_metric, "smsp__thread_inst_executed.sum"_metric})
        CHECK(some.metrics.find(exact) == whole.metrics.find(exact));
    const double truth = *whole.metrics.find(elapsed);
    bool found = false;
    for (const auto& interval : some.sampling->intervals) {
        if (interval.metric.index != elapsed.index) continue;
        found = true;
        CHECK(interval.low <= truth);
        CHECK(interval.high >= truth);
        CHECK(interval.high - interval.low < 0.1 * truth);
    }
    CHECK(found);
}

TEST_CASE("a sampled launch is the same at any number of threads") {
    const KernelResult alone = sampled();
    for (const std::uint32_t threads : {2U, 3U, 7U}) {
        const KernelResult many = sampled(threads);
        CHECK(many.sampling->timed_blocks == alone.sampling->timed_blocks);
        for (const auto& [metric, value] : alone.metrics.reported()) CHECK(many.metrics.find(metric) == value);
    }
}

TEST_CASE("progress of a sampled launch is that of the whole, and never goes back") {
    std::vector<LaunchProgress> told;
    ModelOptions options;
    options.sample = true;
    options.progress = [&](const LaunchProgress& progress) { told.push_back(progress); };
    run(options);
    REQUIRE(told.size() > 10);
    std::uint64_t before = 0;
    for (const LaunchProgress& progress : told) {
        REQUIRE(progress.blocks == blocks);
        REQUIRE(progress.blocks_done >= before);
        REQUIRE(progress.blocks_done <= blocks);
        before = progress.blocks_done;
    }
    CHECK(told.back().blocks_done == blocks);
}
