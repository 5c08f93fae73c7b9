// Blocks to SMs: breadth-first while there is room, then one for each that ends.
#include <catch2/catch.hpp>

#include <set>

#include "sim/timing/block_dispatcher.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras::sim;

namespace {
Platform platform_of(std::uint32_t sms) {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = sms;
    platform.gpu.launch_overhead_cycles = 1000;
    platform.gpu.first_wave_blocks_per_cycle = 2;
    platform.gpu.completed_blocks_per_cycle = 0.5;
    platform.gpu.block_start_latency_cycles = 300;
    return platform;
}
Occupancy room_for(std::uint32_t blocks) {
    Occupancy occupancy;
    occupancy.blocks = blocks;
    return occupancy;
}
}  // namespace

TEST_CASE("the first wave gives each SM one block before any gets a second") {
    BlockDispatcher dispatcher(platform_of(4), room_for(2), 7);
    const auto wave = dispatcher.first_wave();
    REQUIRE(wave.size() == 7);
    for (std::uint64_t i = 0; i < 7; ++i) {
        CHECK(wave[i].block == i);
        CHECK(wave[i].sm == i % 4);
        // Two a cycle from the end of the launch overhead.
        CHECK(wave[i].start == 1000 + i / 2 + 1);
    }
    Dispatch none;
    CHECK_FALSE(dispatcher.complete(0, 5000, none));
}

TEST_CASE("the first wave stops at the room there is") {
    BlockDispatcher dispatcher(platform_of(3), room_for(2), 100);
    CHECK(dispatcher.first_wave().size() == 6);
    BlockDispatcher nothing(platform_of(3), room_for(2), 0);
    CHECK(nothing.first_wave().empty());
}

TEST_CASE("a block that ends makes room for the next, on its SM, after the start latency") {
    BlockDispatcher dispatcher(platform_of(2), room_for(1), 5);
    CHECK(dispatcher.first_wave().size() == 2);
    Dispatch next;
    REQUIRE(dispatcher.complete(1, 5000, next));
    CHECK(next.block == 2);
    CHECK(next.sm == 1);
    CHECK(next.start == 5000 + 300);
    // Ends are noted one every two cycles.
    REQUIRE(dispatcher.complete(0, 5000, next));
    CHECK(next.block == 3);
    CHECK(next.sm == 0);
    CHECK(next.start == 5002 + 300);
    REQUIRE(dispatcher.complete(1, 9000, next));
    CHECK(next.block == 4);
    CHECK(next.start == 9000 + 300);
    CHECK_FALSE(dispatcher.complete(0, 9500, next));
    CHECK_FALSE(dispatcher.complete(1, 9500, next));
    CHECK(dispatcher.noted() == 9502);
}
