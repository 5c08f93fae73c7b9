// Instruction and constant caches of an SM.
#include <catch2/catch.hpp>

#include "sim/timing/sm/fetch.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras::sim;

namespace {
FetchParameters parameters() {
    FetchParameters result = test::fixture_fetch();
    result.l0_lines = 4;
    result.l1_lines = 64;
    result.prefetch_lines = 0;
    result.l0_miss_latency_cycles = 20;
    result.l1_miss_latency_cycles = 140;
    result.fill_interval_cycles = 17;
    result.constant_lines = 2;
    result.constant_miss_latency_cycles = 100;
    return result;
}
}  // namespace

TEST_CASE("a first fetch comes from beyond the SM, a second of the line is there") {
    FetchUnit fetch(parameters(), 2, 100);
    CHECK(fetch.instruction(0, 5, 1000) == 1000 + 140 + 20);
    // On its way: a second warp waits for the same line no longer than the first.
    CHECK(fetch.instruction(0, 5, 1010) == 1160);
    CHECK(fetch.instruction(0, 5, 2000) == 2000);
}

TEST_CASE("another sub-core finds the line in the SM's cache") {
    FetchUnit fetch(parameters(), 2, 100);
    fetch.instruction(0, 5, 1000);
    CHECK(fetch.instruction(1, 5, 5000) == 5000 + 20);
}

TEST_CASE("a line that another has pushed out of a sub-core comes back from the SM's cache") {
    FetchUnit fetch(parameters(), 1, 100);
    fetch.instruction(0, 5, 1000);
    fetch.instruction(0, 9, 2000);  // four lines: 9 takes the place of 5
    CHECK(fetch.instruction(0, 5, 5000) == 5000 + 20);
}

TEST_CASE("lines ahead are fetched with the one that is asked for, but none beyond the code") {
    FetchParameters ahead = parameters();
    ahead.prefetch_lines = 2;
    FetchUnit fetch(ahead, 1, 7);
    fetch.instruction(0, 5, 1000);
    CHECK(fetch.instruction(0, 6, 5000) == 5000);
    FetchUnit none(parameters(), 1, 7);
    none.instruction(0, 5, 1000);
    CHECK(none.instruction(0, 6, 5000) > 5000);
}

TEST_CASE("a warp that runs straight on is limited by the rate of fills, not by their latency") {
    FetchParameters ahead = parameters();
    ahead.prefetch_lines = 2;
    ahead.l0_lines = 64;
    FetchUnit fetch(ahead, 1, 60);
    std::uint64_t now = 1000;
    for (std::uint32_t line = 0; line < 50; ++line) now = fetch.instruction(0, line, now);
    CHECK(now >= 1000 + 49 * 17);
    CHECK(now <= 1000 + 140 + 20 + 50 * 100);
}

TEST_CASE("constants: a miss, then hits until another line takes the place") {
    FetchUnit fetch(parameters(), 1, 100);
    CHECK(fetch.constant(7, 1000) == 1100);
    CHECK(fetch.constant(7, 1050) == 1100);
    CHECK(fetch.constant(7, 3000) == 3000);
    fetch.constant(9, 4000);
    CHECK(fetch.constant(7, 5000) == 5100);
}
