// Barriers of a block, and scoreboards of a warp, each by itself.
#include <catch2/catch.hpp>

#include "sim/timing/sm/barriers.hpp"
#include "sim/timing/sm/resident_warp.hpp"
#include "sim/timing/sm/sleep_timer.hpp"

using namespace sassafras::sim;

TEST_CASE("a barrier lets go when all live warps have arrived, and is as new then") {
    BlockBarriers barriers;
    for (int round = 0; round < 2; ++round) {
        barriers.arrive(0, 0, 2, true);
        CHECK(barriers.release(0, 3) == 0);
        barriers.arrive(0, 0, 0, true);
        CHECK(barriers.release(0, 3) == 0);
        barriers.arrive(0, 0, 1, true);
        CHECK(barriers.release(0, 3) == 0b111);
        CHECK(barriers.release(0, 3) == 0);
    }
    // One of them ends instead.
    barriers.arrive(0, 0, 2, true);
    barriers.arrive(0, 0, 0, true);
    CHECK(barriers.expects_all(0));
    CHECK(barriers.release(0, 2) == 0b101);
}

TEST_CASE("a barrier of a number of warps does not wait for others, nor do those that only arrive wait") {
    BlockBarriers barriers;
    barriers.arrive(5, 3, 40, true);
    CHECK(!barriers.expects_all(5));
    barriers.arrive(5, 3, 7, false);
    CHECK(barriers.release(5, 64) == 0);
    barriers.arrive(6, 1, 0, true);
    CHECK(barriers.release(5, 64) == 0);
    barriers.arrive(5, 3, 63, true);
    CHECK(barriers.release(5, 64) == (std::uint64_t{1} << 40U | std::uint64_t{1} << 63U));
    CHECK(barriers.release(6, 64) == 1);
}

TEST_CASE("what is left of a warp completes its arrival") {
    BlockBarriers barriers;
    barriers.arrive(0, 0, 0, true);
    barriers.complete_arrival(0);
    CHECK(barriers.release(0, 2) == 1);
}

TEST_CASE("arrivals are taken one at a time") {
    BarrierArrivals arrivals(2);
    CHECK(arrivals.take(10) == 10);
    CHECK(arrivals.take(10) == 12);
    CHECK(arrivals.known() == 14);
    CHECK(arrivals.take(20) == 20);
    CHECK(arrivals.known() == 22);
}

TEST_CASE("a scoreboard counts, and says what for it stood") {
    Scoreboards scoreboards;
    Stall kind = Stall::wait;
    scoreboards.hold(2, false);
    scoreboards.hold(2, true);
    scoreboards.hold(5, false);
    CHECK(scoreboards.pending() == 0b100100);
    CHECK(scoreboards.outstanding(2) == 2);
    CHECK(!scoreboards.release(2, kind));
    CHECK(kind == Stall::wait);
    CHECK(scoreboards.release(2, kind));
    CHECK(kind == Stall::long_scoreboard);
    CHECK(scoreboards.release(5, kind));
    CHECK(kind == Stall::short_scoreboard);
    CHECK(scoreboards.pending() == 0);
}

TEST_CASE("a sleep ends at the timer's next multiple of the power of two above it, and not before the least") {
    Platform platform{};
    platform.clock.sm_mhz = 1000;  // a cycle is a nanosecond
    platform.clock.global_timer_step_ns = 32;
    platform.sm.sleep_least_cycles = 10;
    platform.sm.sleep_wake_cycles = 5;
    platform.sm.sleep_longest_ns = 1000;
    CHECK(end_of_sleep(platform, 0, 100, 1000) == 1024 + 5);
    CHECK(end_of_sleep(platform, 0, 100, 1024) == 1152 + 5);
    CHECK(end_of_sleep(platform, 50, 100, 1000) == 1000 + 102 + 5);  // the timer shows 1050; next 1152
    CHECK(end_of_sleep(platform, 0, 1, 1000) == 1024 + 5);           // a step at least
    CHECK(end_of_sleep(platform, 0, 1U << 30U, 100) == 1024 + 5);    // as 1000: steps of 1024
    CHECK(end_of_sleep(platform, 0, 1, 1023) == 1033);
}
