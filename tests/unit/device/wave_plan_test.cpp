// Which blocks a sampled launch times: each block of the grid once, in whole waves, and an end like the launch's own.
#include <catch2/catch.hpp>

#include <algorithm>

#include "sim/device/sampling/wave_plan.hpp"

using namespace sassafras::sim;

TEST_CASE("timed and other blocks are the grid, each once") {
    for (const std::uint64_t wave : {1U, 7U, 96U, 1056U}) {
        for (const std::uint64_t blocks : {31 * wave, 31 * wave + wave / 2, 133 * wave + 1, 1000 * wave - 1}) {
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                const auto plan = plan_waves(blocks, wave, 4, seed);
                REQUIRE(plan);
                std::vector<BlockRange> all = plan->timed;
                all.insert(all.end(), plan->others.begin(), plan->others.end());
                std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
                std::uint64_t next = 0;
                for (const BlockRange& range : all) {
                    REQUIRE(range.first == next);
                    REQUIRE(range.count != 0);
                    next += range.count;
                }
                CHECK(next == blocks);
                CHECK(plan->timed_blocks + plan->other_blocks == blocks);
                CHECK(plan->timed_blocks % wave == blocks % wave);  // so it ends as the whole does
                CHECK(plan->timed_blocks <= blocks / 2);
                CHECK(plan->marks.size() == 8);
                CHECK(plan->marks.back() + wave <= plan->timed_blocks);
            }
        }
    }
}

TEST_CASE("a launch of few waves is not sampled") {
    CHECK_FALSE(plan_waves(0, 96, 4, 1));
    CHECK_FALSE(plan_waves(96 * 29, 96, 4, 1));
    CHECK(plan_waves(96 * 30, 96, 4, 1));
    CHECK_FALSE(plan_waves(1000, 0, 4, 1));
}
