#include <catch2/catch.hpp>

#include "sim/check/block_clock.hpp"
#include "sim/check/grid_clock.hpp"

using sassafras::sim::BlockClock;
using sassafras::sim::GridClock;
using sassafras::sim::GridTime;

namespace {
constexpr std::uint32_t all = 0xffffffffU;
}

TEST_CASE("a thread's own accesses are ordered, those of others are not until they meet") {
    BlockClock clock;
    clock.start(2);
    const std::uint32_t stamp = clock.now();
    CHECK(clock.is_ordered(stamp, 5, 5));
    CHECK_FALSE(clock.is_ordered(stamp, 5, 6));
    CHECK_FALSE(clock.is_ordered(stamp, 5, 37));
}

TEST_CASE("a barrier of the block orders everything before it, nothing after it") {
    BlockClock clock;
    clock.start(2);
    const std::uint32_t before = clock.now();
    clock.arrive(0, 0, true);
    clock.arrive(1, 0, true);
    clock.complete(0, true);
    CHECK(clock.is_ordered(before, 5, 37));
    CHECK_FALSE(clock.is_ordered(clock.now(), 5, 37));
}

TEST_CASE("a named barrier orders the warps that come, not a third") {
    BlockClock clock;
    clock.start(3);
    const std::uint32_t before = clock.now();
    clock.arrive(0, 1, true);
    clock.arrive(1, 1, true);
    clock.complete(1, false);
    CHECK(clock.is_ordered(before, 0, 32));
    CHECK(clock.is_ordered(before, 32, 0));
    CHECK_FALSE(clock.is_ordered(before, 0, 64));
}

TEST_CASE("who only arrives is known to those that wait and learns nothing") {
    BlockClock clock;
    clock.start(2);
    const std::uint32_t before = clock.now();
    clock.arrive(0, 1, false);
    const std::uint32_t after_arrival = clock.now();
    clock.arrive(1, 1, true);
    clock.complete(1, false);
    CHECK(clock.is_ordered(before, 0, 32));
    CHECK_FALSE(clock.is_ordered(after_arrival, 0, 32));
    CHECK_FALSE(clock.is_ordered(before, 32, 0));
}

TEST_CASE("__syncwarp orders the lanes that it names") {
    BlockClock clock;
    clock.start(2);
    const std::uint32_t before = clock.now();
    clock.synchronise_lanes(0, 0x0000ffffU);
    CHECK(clock.is_ordered(before, 3, 4));
    CHECK_FALSE(clock.is_ordered(before, 3, 20));
    CHECK_FALSE(clock.is_ordered(before, 20, 3));
    SECTION("what a lane knows goes on with it") {
        clock.synchronise_lanes(0, 1U << 4U | 1U << 20U);
        CHECK(clock.is_ordered(before, 3, 20));
        CHECK_FALSE(clock.is_ordered(before, 3, 21));
    }
    SECTION("all lanes") {
        clock.synchronise_lanes(0, all);
        CHECK(clock.is_ordered(before, 3, 20));
        CHECK_FALSE(clock.is_ordered(before, 3, 40));
    }
}

TEST_CASE("an atomic behind a fence passes on what came before the fence") {
    BlockClock clock;
    clock.start(2);
    const std::uint32_t before = clock.now();
    SECTION("with a fence") {
        clock.fence(0, false);
        const std::uint32_t behind = clock.now();
        clock.release(0, 0x400);
        clock.acquire(1, 1, 0x400);
        CHECK(clock.is_ordered(before, 3, 37));
        CHECK_FALSE(clock.is_ordered(behind, 3, 37));
    }
    SECTION("through another location") {
        clock.fence(0, false);
        clock.release(0, 0x400);
        clock.acquire(1, 1, 0x404);
        CHECK_FALSE(clock.is_ordered(before, 3, 37));
    }
    SECTION("without a fence") {
        clock.release(0, 0x400);
        clock.acquire(1, 1, 0x400);
        CHECK_FALSE(clock.is_ordered(before, 3, 37));
    }
    SECTION("to a lane of the same warp, not to its neighbours") {
        clock.fence(0, false);
        clock.release(0, 0x400);
        clock.acquire(0, 1U << 7U, 0x400);
        CHECK(clock.is_ordered(before, 3, 7));
        CHECK_FALSE(clock.is_ordered(before, 3, 8));
    }
}

TEST_CASE("a fence of the device is known to those that meet at a barrier") {
    BlockClock clock;
    clock.start(2);
    clock.fence(1, true);
    CHECK(clock.device_fence(0) == 0);
    clock.arrive(0, 0, true);
    clock.arrive(1, 0, true);
    clock.complete(0, true);
    CHECK(clock.device_fence(0) == clock.device_fence(1));
    CHECK(clock.device_fence(0) != 0);
}

TEST_CASE("arriving at a barrier in memory passes on everything, without a fence") {
    BlockClock clock;
    clock.start(3);
    const std::uint32_t before = clock.now();
    clock.learn(0, {7, 9});
    clock.release_all(0, 0x400);
    const std::uint32_t behind = clock.now();
    CHECK_FALSE(clock.is_ordered(before, 3, 37));
    clock.acquire(1, 1, 0x400);
    CHECK(clock.is_ordered(before, 3, 37));
    CHECK_FALSE(clock.is_ordered(behind, 3, 37));
    CHECK_FALSE(clock.is_ordered(before, 3, 70));
    CHECK(clock.horizon(1).all == 7);
    CHECK(clock.horizon(1).reads == 9);
}

TEST_CASE("blocks learn of what was released before the location that they read") {
    GridClock grid;
    CHECK(grid.released(0x1000).all == 0);
    CHECK_FALSE(grid.is_ordered(0, 1, false, {100, 100}));
    grid.release(0, 5, 5, 0x1000);
    const GridTime horizon = grid.released(0x1000);
    CHECK(grid.is_ordered(0, 4, false, horizon));
    CHECK_FALSE(grid.is_ordered(0, 5, false, horizon));
    CHECK_FALSE(grid.is_ordered(0, 4, false, {}));
    CHECK_FALSE(grid.is_ordered(1, 4, false, horizon));
    grid.release(0, 9, 9, 0x1000);
    CHECK_FALSE(grid.is_ordered(0, 5, false, horizon));
    CHECK(grid.is_ordered(0, 5, false, grid.released(0x1000)));
}

TEST_CASE("without a fence a block passes on what it has read, not what it has written") {
    GridClock grid;
    grid.release(0, 0, 5, 0x1000);
    const GridTime horizon = grid.released(0x1000);
    CHECK(grid.is_ordered(0, 4, true, horizon));
    CHECK_FALSE(grid.is_ordered(0, 5, true, horizon));
    CHECK_FALSE(grid.is_ordered(0, 4, false, horizon));
    CHECK_FALSE(grid.is_ordered(1, 4, true, horizon));
    CHECK_FALSE(grid.is_ordered(0, 4, true, grid.released(0x1004)));
    SECTION("a fence that another block's release stands behind is not its own") {
        grid.release(1, 3, 3, 0x1000);
        CHECK_FALSE(grid.is_ordered(0, 4, false, grid.released(0x1000)));
    }
    SECTION("writes follow at the first release behind a fence") {
        grid.release(0, 5, 7, 0x1000);
        CHECK(grid.is_ordered(0, 4, false, grid.released(0x1000)));
        CHECK_FALSE(grid.is_ordered(0, 6, false, grid.released(0x1000)));
        CHECK(grid.is_ordered(0, 6, true, grid.released(0x1000)));
    }
}
