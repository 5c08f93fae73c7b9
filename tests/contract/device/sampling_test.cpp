// A sampled launch leaves in memory what the whole one does and counts what it counts; its cycles are an estimate.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <iterator>

#include "sim/device/modelled_devices.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::size_t word_count = 65536;

struct SampledLaunch {
    std::vector<std::uint32_t> words;
    KernelResult result;
};

/// The words after all of so many launches, and the last one's result.
SampledLaunch run(const char* kernel, std::uint32_t blocks, bool sample, std::uint32_t threads = 1, int launches = 1) {
    Platform platform = sim::test::fixture_platform();
    platform.gpu.sm_count = 2;
    platform.dram.capacity_gb = 1;
    ModelOptions options;
    options.sample = sample;
    options.threads = threads;
    const auto device = make_simulated_device(platform, options);
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/racing.cubin", std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto module = device->load_module(std::as_bytes(std::span(text)), "racing.cubin");
    REQUIRE(module.ok());
    SampledLaunch outcome{.words = std::vector<std::uint32_t>(word_count, 3), .result = {}};
    const Address a = device->allocate(Bytes{4 * word_count}).value();
    const Address b = device->allocate(Bytes{4 * word_count}).value();
    for (const Address to : {a, b}) REQUIRE(device->copy_to_device(to, std::as_bytes(std::span(outcome.words))).ok());
    Launch launch;
    launch.module = *module;
    launch.kernel = kernel;
    launch.grid = {blocks, 1, 1};
    launch.block = {256, 1, 1};
    launch.arguments = Arguments().add(a).add(b).add(std::uint32_t{20});
    for (int i = 0; i < launches; ++i) REQUIRE(device->launch(launch).ok());
    REQUIRE(device->copy_from_device(std::as_writable_bytes(std::span(outcome.words)), a).ok());
    outcome.result = device->results().back();
    return outcome;
}

}  // namespace

TEST_CASE("results and counts of a sampled launch are those of the whole") {
    const SampledLaunch whole = run("in_place", 600, false);
    const SampledLaunch sampled = run("in_place", 600, true);
    REQUIRE_FALSE(whole.result.sampling);
    REQUIRE(sampled.result.sampling);
    CHECK(sampled.result.sampling->timed_blocks < 300);
    CHECK((sampled.words == whole.words));
    for (const MetricId exact : {"smsp__inst_executed.sum"_metric, "smsp__thread_inst_executed.sum"_metric,
                                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric})
        CHECK(sampled.result.metric(exact) == whole.result.metric(exact));
    const double cycles = whole.result.metric("sm__cycles_elapsed.max"_metric);
    // Its first 256 blocks find their words in DRAM, the others in L2: more than waves that are alike are apart.
    CHECK(std::abs(sampled.result.metric("sm__cycles_elapsed.max"_metric) / cycles - 1) < 0.1);
    for (const auto& interval : sampled.result.sampling->intervals) {
        const double value = sampled.result.metric(interval.metric);
        CHECK(interval.low < value);
        CHECK(value < interval.high);
    }
}

TEST_CASE("an estimate does not depend on threads") {
    const SampledLaunch alone = run("in_place", 600, true, 1);
    const SampledLaunch together = run("in_place", 600, true, 3);
    CHECK((together.words == alone.words));
    CHECK((together.result.metrics == alone.result.metrics));
}

TEST_CASE("a launch of few waves is timed as a whole, and so is one whose blocks learn of each other") {
    CHECK_FALSE(run("in_place", 40, true).result.sampling);
    CHECK((run("in_place", 40, true).result.metrics == run("in_place", 40, false).result.metrics));
    CHECK_FALSE(run("tickets", 600, true).result.sampling);
}

TEST_CASE("of launches that are alike some are timed, the others executed") {
    for (const std::uint32_t threads : {1U, 3U}) {
        const SampledLaunch whole = run("in_place", 40, false, threads, 12);
        const SampledLaunch sampled = run("in_place", 40, true, threads, 12);
        REQUIRE(sampled.result.sampling);
        CHECK(sampled.result.sampling->timed_blocks == 0);
        CHECK(sampled.result.sampling->timed_launches >= 3);
        CHECK((sampled.words == whole.words));
        const MetricId instructions = "smsp__inst_executed.sum"_metric;
        CHECK(sampled.result.metric(instructions) == whole.result.metric(instructions));
        const double cycles = whole.result.metric("sm__cycles_elapsed.max"_metric);
        CHECK(std::abs(sampled.result.metric("sm__cycles_elapsed.max"_metric) / cycles - 1) < 0.02);
    }
}
