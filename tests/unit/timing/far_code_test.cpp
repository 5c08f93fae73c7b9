// Code beyond what a launch brings into a GPC's cache.
#include "sim/timing/memory/far_code.hpp"

#include <catch2/catch.hpp>

#include "sim/timing/sm/fetch.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras::sim;

namespace {

/// Two GPCs of four SMs, whose caches hold 8 lines, 4 of them from the launch on.
Platform with_far_code() {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = 8;
    platform.gpu.gpc_sms = 4;
    platform.l2.partitions = 1;
    platform.fetch.l1_lines = 2;
    platform.fetch.prefetch_lines = 0;
    platform.fetch.gpc_lines = 8;
    platform.fetch.gpc_ways = 8;
    platform.fetch.gpc_launch_lines = 4;
    platform.fetch.l0_miss_latency_cycles = 20;
    platform.fetch.l1_miss_latency_cycles = 140;
    platform.fetch.fill_interval_cycles = 17;
    platform.fetch.gpc_miss_cycles = 200;
    platform.fetch.gpc_miss_cold_cycles = 600;
    platform.fetch.gpc_fill_cycles = 43;
    platform.fetch.gpc_fill_cold_cycles = 100;
    return platform;
}

}  // namespace

TEST_CASE("a launch brings the first lines, the others come from where they are") {
    const Platform platform = with_far_code();
    CHECK_FALSE(FarCode::has(platform.fetch, 4));
    CHECK(FarCode::has(platform.fetch, 5));
    FarCode cold(platform, platform.gpu.sm_count, {}, 20, true);
    CHECK(cold.find(0, 3).source == CodeSource::gpc);
    CHECK(cold.find(0, 4).source == CodeSource::dram);
    CHECK(FarCode(platform, platform.gpu.sm_count, {}, 20, false).find(0, 4).source == CodeSource::l2);
    std::vector<CodeFetch> fetches{{.line = 4, .there = 777}};
    cold.bring(0, fetches);
    CHECK(fetches.empty());
    for (const std::uint32_t neighbour : {0U, 3U}) {
        CHECK(cold.find(neighbour, 4).source == CodeSource::gpc);
        CHECK(cold.find(neighbour, 4).there == 777);
    }
    CHECK(cold.find(7, 4).source == CodeSource::l2);  // another GPC
    fetches = {{.line = 4, .there = 999}};            // asked for in the same round by another SM
    cold.bring(1, fetches);
    CHECK(cold.find(0, 4).there == 777);
    fetches = {{.line = 4, .there = 1200}, {.line = 2, .there = 1200}};
    cold.bring(7, fetches);
    CHECK(cold.brought().lines == 2);  // to each GPC once, and nothing that the launch brought
    CHECK(cold.brought().from_dram == 1);
}

TEST_CASE("what was used longest ago goes, so that a second pass over more than fits finds nothing") {
    const Platform platform = with_far_code();
    FarCode code(platform, platform.gpu.sm_count, {}, 12, true);
    for (std::uint32_t pass = 0; pass < 3; ++pass) {
        for (std::uint32_t line = 0; line < 12; ++line) {
            CAPTURE(pass, line);
            const CodeSource expected = pass != 0 ? CodeSource::l2 : line < 4 ? CodeSource::gpc : CodeSource::dram;
            CHECK(code.find(0, line).source == expected);
            std::vector<CodeFetch> fetches{{.line = line}};
            code.bring(0, fetches);
        }
    }
    // A line that is used again stays.
    for (std::uint32_t i = 0; i < 20; ++i) {
        std::vector<CodeFetch> fetches{{.line = 5}, {.line = i % 12}};
        code.bring(0, fetches);
        CHECK(code.find(0, 5).source == CodeSource::gpc);
    }
}

TEST_CASE("sets of the cache lose their lines each for itself") {
    Platform platform = with_far_code();
    platform.fetch.gpc_ways = 2;  // four sets
    FarCode code(platform, platform.gpu.sm_count, {}, 12, true);
    // Ten lines: sets 0 and 1 have three each, the others two.
    for (std::uint32_t pass = 0; pass < 3; ++pass) {
        for (std::uint32_t line = 0; line < 10; ++line) {
            CAPTURE(pass, line);
            const CodeSource expected = line % 4 < 2 ? CodeSource::l2 : CodeSource::gpc;
            if (pass != 0) CHECK(code.find(0, line).source == expected);
            std::vector<CodeFetch> fetches{{.line = line}};
            code.bring(0, fetches);
        }
    }
}

TEST_CASE("an SM waits for far code, each line further apart, and not again for what its GPC has got") {
    const Platform platform = with_far_code();
    FarCode code(platform, platform.gpu.sm_count, {}, 40, true);
    const FetchLaunch launch{.code_lines = 40};
    FetchUnit fetch(platform.fetch, 1, launch, &code, 0);
    const std::uint64_t first = fetch.instruction(0, 10, 1000);
    CHECK(first == 1000 + 140 + 600 + 20);
    CHECK(fetch.instruction(0, 11, first) == first + 100);  // straight on
    REQUIRE(fetch.code_fetches().size() == 2);
    code.bring(0, fetch.code_fetches());
    FetchUnit neighbour(platform.fetch, 1, launch, &code, 1);
    CHECK(neighbour.instruction(0, 10, 1100) == first);  // on its way
    CHECK(neighbour.instruction(0, 11, 5000) == 5000 + 20);
    FetchUnit other_gpc(platform.fetch, 1, launch, &code, 7);
    CHECK(other_gpc.instruction(0, 10, 5000) == 5000 + 140 + 200 + 20);
    CHECK(other_gpc.instruction(0, 11, 5360) == 5360 + 43);
    // Kernels that the launch brings whole have nothing of this.
    FetchUnit near(platform.fetch, 1, launch);
    CHECK(near.instruction(0, 10, 1000) == 1000 + 140 + 20);
    CHECK(near.code_fetches().empty());
}
