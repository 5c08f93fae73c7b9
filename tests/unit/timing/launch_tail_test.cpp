// When a launch begins to leave places to others, and what it has done and still does then.
#include "tests/unit/timing/scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

/// Four warps of a block: an SM of the fixture holds 16 such blocks.
constexpr std::uint32_t warps = 4;
constexpr std::uint32_t held = 16;

Script additions(std::uint32_t count) {
    Script script;
    script.add(fp32_add, {.stall = 4}, count).exit();
    return script;
}

}  // namespace

TEST_CASE("of one wave the tail is all of it but the blocks' beginnings") {
    const TimingResult result = simulate(bare_platform(), additions(200), warps, 3);
    CHECK(result.tail.blocks == 3);
    CHECK(result.tail.instructions == 0);
    CHECK(result.tail.begin < 20);
    CHECK(result.tail.first_end > 200 * 4);
    CHECK(result.tail.first_end <= result.cycles.count);
    CHECK(result.tail.before_first_end > 200);
    CHECK(result.tail.before_first_end <= 3 * warps * 201);
    CHECK(result.tail.block_cycles >= 3 * 200 * 4 - 60);
    CHECK(result.tail.block_cycles <= 3 * (result.cycles.count - result.tail.begin));
}

TEST_CASE("of several waves the tail begins with the last block") {
    REQUIRE(occupancy({.threads_per_block = warps * warp_size, .registers_per_thread = 16, .shared_bytes = 0},
                      bare_platform())
                .blocks == held);
    const TimingResult one = simulate(bare_platform(), additions(200), warps, held);
    const TimingResult two = simulate(bare_platform(), additions(200), warps, 2 * held);
    CHECK(one.tail.begin < 100);
    CHECK(two.tail.begin > one.cycles.count / 2);
    CHECK(two.tail.begin < two.cycles.count);
    CHECK(two.tail.first_end > two.tail.begin);
    CHECK(two.tail.blocks >= 1);
    CHECK(two.tail.blocks <= held);
    // Half the blocks had ended or nearly so.
    CHECK(two.tail.instructions >= one.warp_instructions - one.warp_instructions / held);
    CHECK(two.tail.instructions < two.warp_instructions);
    CHECK(two.tail.block_cycles <= two.tail.blocks * (two.cycles.count - two.tail.begin));
    CHECK(two.tail.block_cycles > 0);
}
