// Which blocks a sampled launch times: each block of the grid once, in whole waves, and an end like the launch's own.
#include <catch2/catch.hpp>

#include <cstddef>

#include "sim/device/sampling/wave_plan.hpp"

using namespace sassafras::sim;

TEST_CASE("timed and other blocks are the grid, each once") {
    for (const std::uint64_t wave : {1U, 7U, 96U, 1056U}) {
        for (const std::uint64_t blocks :
             {31 * wave, 31 * wave + wave / 2, 133 * wave + 1, 1000 * wave - 1, 5000 * wave}) {
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                const auto plan = plan_waves(blocks, wave, seed);
                REQUIRE(plan);
                std::uint64_t next = 0;
                std::uint64_t timed = 0;
                for (std::size_t i = 0; i < plan->timed.size(); ++i) {
                    if (i != 0) {
                        CHECK(plan->pauses()[i - 1] == timed);
                        CHECK(plan->before(i).first == next);
                        next += plan->before(i).count;
                    }
                    REQUIRE(plan->timed[i].first == next);
                    REQUIRE(plan->timed[i].count != 0);
                    next += plan->timed[i].count;
                    timed += plan->timed[i].count;
                }
                CHECK(next == blocks);
                CHECK(plan->timed_blocks == timed);
                CHECK(plan->timed_blocks % wave == blocks % wave);  // so it ends as the whole does
                CHECK(plan->timed_blocks <= blocks / 2);
                CHECK(plan->marks.size() == 2 * plan->windows);
                for (std::size_t i = 0; i < plan->marks.size(); i += 2)
                    CHECK(plan->marks[i + 1] - plan->marks[i] == plan->measured * wave);
                CHECK(plan->marks.back() + wave <= plan->timed_blocks);
            }
        }
    }
}

TEST_CASE("a launch of few waves is not sampled") {
    CHECK_FALSE(plan_waves(0, 96, 1));
    CHECK_FALSE(plan_waves(96 * 29, 96, 1));
    CHECK(plan_waves(96 * 30, 96, 1));
    CHECK_FALSE(plan_waves(1000, 0, 1));
}

TEST_CASE("of many waves a smaller share is timed, in more and longer windows") {
    const auto share = [](std::uint64_t waves) {
        return static_cast<double>(plan_waves(96 * waves, 96, 1)->timed_blocks) / static_cast<double>(96 * waves);
    };
    CHECK(share(300) < 0.08);
    CHECK(share(10'000) < 0.01);
    CHECK(plan_waves(96 * 30, 96, 1)->windows == 4);
    CHECK(plan_waves(96 * 30, 96, 1)->measured == 1);
    CHECK(plan_waves(96 * 40, 96, 1)->measured == 2);
    CHECK(plan_waves(96 * 3000, 96, 1)->windows == 8);
    CHECK(plan_waves(96 * 3000, 96, 1)->measured == 10);
}
