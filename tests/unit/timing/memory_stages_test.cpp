// The stages of the memory unit, its way for stores, and groups of copies, each by itself.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/timing/sm/copy_groups.hpp"
#include "sim/timing/sm/memory_stages.hpp"
#include "sim/timing/sm/store_path.hpp"

using namespace sassafras::sim;

namespace {

LsuParameters unit() {
    LsuParameters lsu{};
    lsu.queue_entries = 2;
    lsu.issue_interval_cycles = 2;
    lsu.operand_register_cycles = 3;
    lsu.accept_interval_cycles = 1;
    lsu.wavefront_interval_cycles = 1;
    lsu.subcore_wavefront_interval_cycles = 2;
    lsu.tags_per_cycle = 1;
    lsu.data_buffer_cycles = 10;
    lsu.outstanding_stores = 2;
    lsu.store_bytes_per_cycle = 64;
    return lsu;
}

}  // namespace

TEST_CASE("a sub-core's instructions enter two cycles apart, and later by the registers that they send") {
    MemoryStages stages(unit(), 2);
    CHECK(stages.enter(0, 0, 100, 0) == 100);
    CHECK(stages.enter(0, 2, 100, 0) == 102);
    CHECK(stages.enter(0, 0, 100, 0) == 102 + 2 + 2 * 3);
    // Another sub-core's take what is free: one a cycle enters.
    CHECK(stages.enter(1, 0, 100, 0) == 101);
    CHECK(stages.enter(1, 0, 100, 0) == 103);
    CHECK(stages.enter(1, 0, 100, 200) == 200);
}

TEST_CASE("a queue has room when the instruction that is its entries back has entered") {
    MemoryStages stages(unit(), 1);
    CHECK(stages.queue_free(0) == 0);
    stages.enter(0, 0, 100, 0);
    CHECK(stages.queue_free(0) == 0);
    stages.enter(0, 0, 100, 0);
    CHECK(stages.queue_free(0) == 100);
    stages.enter(0, 0, 100, 0);
    CHECK(stages.queue_free(0) == 102);
}

TEST_CASE("a sub-core's wavefronts go every second cycle; another's take those between") {
    MemoryStages stages(unit(), 2);
    stages.enter(0, 0, 100, 0);
    CHECK(stages.reserve_data(0, 100, 3, true) == 104);  // 100, 102, 104
    CHECK(stages.reserve_data(1, 100, 2, true) == 103);  // 101, 103
    CHECK(stages.reserve_data(0, 100, 1, true) == 106);
    CHECK(stages.reserve_data(0, 100, 2, false) == 107);  // what does not pass a sub-core: 105, 107
    CHECK(stages.reserve_data(0, 123, 0, true) == 123);
}

TEST_CASE("what queues before the data stage holds up the entrance once it fills the buffer") {
    MemoryStages stages(unit(), 2);
    stages.enter(0, 0, 100, 0);
    stages.reserve_data(0, 100, 20, true);  // up to 138: free again from 140
    CHECK(stages.enter(0, 0, 101, 0) == 140 - 10);
    CHECK(stages.enter(1, 0, 101, 0) == 101);
}

TEST_CASE("lines are looked up one a cycle, or as many as tags are read") {
    MemoryStages stages(unit(), 1);
    stages.enter(0, 0, 100, 0);
    CHECK(stages.look_up_tag(0, 100) == 100);
    CHECK(stages.look_up_tag(1, 100) == 101);
    CHECK(stages.look_up_tag(0, 100) == 102);
    LsuParameters lsu = unit();
    lsu.tags_per_cycle = 2;
    MemoryStages pairs(lsu, 1);
    pairs.enter(0, 0, 100, 0);
    CHECK(pairs.look_up_tag(0, 100) == 100);
    CHECK(pairs.look_up_tag(1, 100) == 100);
    CHECK(pairs.look_up_tag(2, 100) == 101);
    CHECK(pairs.look_up_tag(3, 101) == 101);
}

TEST_CASE("stores leave at the port's rate, and wait for a place that is free") {
    StorePath path(unit(), 50);
    CHECK(path.send(100, 128).time == 100);
    CHECK(path.port_free() == 102);
    const StorePath::Sent second = path.send(100, 32);
    CHECK(second.time == 102);
    CHECK(second.place == 1);
    // Two places, and the first is taken to be free a round trip after it was left.
    const StorePath::Sent third = path.send(110, 32);
    CHECK(third.place == 0);
    CHECK(third.time == 150);
    // The second's store took longer.
    path.free(1, 400);
    CHECK(path.send(160, 32).time == 400);
}

TEST_CASE("a group of copies is done when it and all before it are") {
    CopyGroups copies(4);
    const WarpName warp{.slot = 2, .age = 9};
    std::vector<int> released;
    const auto retire = [&] { copies.retire(warp, [&](std::uint8_t scoreboard) { released.push_back(scoreboard); }); };
    CHECK(copies.start(warp) == 1);
    CHECK(copies.start(warp) == 1);
    copies.close(warp, 3);
    CHECK(copies.start(warp) == 2);
    copies.close(warp, 4);
    copies.done(warp, 2);
    copies.done(warp, 1);
    retire();
    CHECK(released.empty());
    copies.done(warp, 1);
    retire();
    CHECK(released == std::vector<int>{3, 4});
    copies.close(warp, 5);  // nothing was copied: done at once
    retire();
    CHECK(released == std::vector<int>{3, 4, 5});
    // A younger warp in the slot starts anew.
    CHECK(copies.start({.slot = 2, .age = 10}) == 1);
}
