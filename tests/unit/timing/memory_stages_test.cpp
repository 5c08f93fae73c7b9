// The stages of the memory unit and groups of copies, each by itself.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/timing/sm/copy_groups.hpp"
#include "sim/timing/sm/memory_stages.hpp"

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
    lsu.warp_wavefront_interval_cycles = 2;
    lsu.tags_per_cycle = 1;
    lsu.miss_interval_cycles = 1;
    lsu.data_buffer_cycles = 10;
    lsu.warp_buffer_cycles = 80;
    return lsu;
}

}  // namespace

TEST_CASE("a sub-core's instructions enter two cycles apart, and later by the registers that they send") {
    MemoryStages stages(unit(), 2, 4);
    CHECK(stages.enter(0, 0, {}, 100, 0) == 100);
    CHECK(stages.enter(0, 0, {.data = 2}, 100, 0) == 102);
    CHECK(stages.enter(0, 0, {}, 100, 0) == 102 + 2 + 2 * 3);
    // Another sub-core's take what is free: one a cycle enters.
    CHECK(stages.enter(1, 1, {}, 100, 0) == 101);
    CHECK(stages.enter(1, 1, {}, 100, 0) == 103);
    CHECK(stages.enter(1, 1, {}, 100, 200) == 200);
}

TEST_CASE("an address of two registers takes longer to enter, one of none gives its time to the data") {
    LsuParameters lsu = unit();
    lsu.operand_register_cycles = 2;
    lsu.address_register_cycles = 2;
    MemoryStages stages(lsu, 1, 4);
    CHECK(stages.enter(0, 0, {.address = 2}, 100, 0) == 100);
    CHECK(stages.enter(0, 0, {.address = 2, .data = 1}, 100, 0) == 104);
    CHECK(stages.enter(0, 0, {.address = 0, .data = 2}, 100, 0) == 110);
    CHECK(stages.enter(0, 0, {.address = 0}, 100, 0) == 114);
    CHECK(stages.enter(0, 0, {}, 100, 0) == 116);
}

TEST_CASE("a queue has room when the instruction that is its entries back has entered") {
    MemoryStages stages(unit(), 1, 4);
    CHECK(stages.queue_free(0) == 0);
    stages.enter(0, 0, {}, 100, 0);
    CHECK(stages.queue_free(0) == 0);
    stages.enter(0, 0, {}, 100, 0);
    CHECK(stages.queue_free(0) == 100);
    stages.enter(0, 0, {}, 100, 0);
    CHECK(stages.queue_free(0) == 102);
}

TEST_CASE("a sub-core's wavefronts go every second cycle; another's take those between") {
    MemoryStages stages(unit(), 2, 4);
    stages.enter(0, 0, {}, 100, 0);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 3}, 100) == 104);  // 100, 102, 104
    CHECK(stages.pass({.subcore = 1, .warp = 1, .wavefronts = 2}, 100) == 103);  // 101, 103
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 1}, 100) == 106);
    CHECK(stages.reserve_data(100, 2) == 107);  // what does not pass a sub-core: 105, 107
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 0}, 123) == 123);
}

// validate/records/h200/probes/subcore_turns.cu.
TEST_CASE("where only a warp's wavefronts are two cycles apart, its sub-core's others go between them") {
    LsuParameters lsu = unit();
    lsu.subcore_wavefront_interval_cycles = 1;
    MemoryStages stages(lsu, 1, 4);
    stages.enter(0, 0, {}, 100, 0);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 4}, 100) == 106);
    CHECK(stages.pass({.subcore = 0, .warp = 1, .wavefronts = 4}, 100) == 111);  // 105, 107, 109, 111
    // The next of the first warp comes when its own have passed, and takes the stage no longer for that.
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 1}, 100) == 108);
}

TEST_CASE("wavefronts of shared memory and of L1 have each their order in a warp; whole registers need none") {
    LsuParameters lsu = unit();
    lsu.subcore_wavefront_interval_cycles = 1;
    MemoryStages stages(lsu, 1, 4);
    stages.enter(0, 0, {}, 100, 0);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 4}, 100) == 106);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 1, .shared_memory = true}, 100) == 105);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 1}, 100) == 108);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 3, .registers = 3, .whole_registers = true}, 120) == 122);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 1}, 120) == 123);
}

TEST_CASE("a load enters a cycle later behind what sent data") {
    LsuParameters lsu = unit();
    lsu.store_data_lag_cycles = 1;
    MemoryStages stages(lsu, 1, 4);
    stages.enter(0, 0, {.data = 1}, 100, 0);
    CHECK(stages.enter(0, 0, {.data = 1}, 100, 0) == 105);
    CHECK(stages.enter(0, 0, {}, 100, 0) == 111);
    CHECK(stages.enter(0, 0, {}, 100, 0) == 113);
}

TEST_CASE("a load of several registers keeps its sub-core's way for each and one more") {
    LsuParameters lsu = unit();
    lsu.subcore_wavefront_interval_cycles = 1;
    lsu.return_register_cycles = 1;
    MemoryStages stages(lsu, 1, 4);
    stages.enter(0, 0, {}, 100, 0);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 1, .registers = 4}, 100) == 100);
    CHECK(stages.pass({.subcore = 0, .warp = 1, .wavefronts = 1, .registers = 1}, 100) == 105);
    CHECK(stages.pass({.subcore = 0, .warp = 2, .wavefronts = 1, .registers = 1}, 100) == 107);
}

TEST_CASE("what queues before the data stage holds up the entrance once it fills the buffer") {
    MemoryStages stages(unit(), 2, 4);
    stages.enter(0, 0, {}, 100, 0);
    stages.pass({.subcore = 0, .warp = 0, .wavefronts = 20}, 100);  // up to 138: free again from 140
    CHECK(stages.enter(0, 0, {}, 101, 0) == 140 - 10);
    CHECK(stages.enter(1, 1, {}, 101, 0) == 101);
    // Where the stage has more room than one sub-core can fill, its own work counts for all: 20 cycles, up to 120.
    LsuParameters lsu = unit();
    lsu.subcore_wavefront_interval_cycles = 1;
    MemoryStages shared(lsu, 2, 4);
    shared.enter(0, 0, {}, 100, 0);
    shared.pass({.subcore = 0, .warp = 0, .wavefronts = 20}, 100);
    CHECK(shared.enter(1, 1, {}, 101, 0) == 110);
    // What comes back for loads that wait holds up nobody there, and where both ways are one it does.
    MemoryStages returning(lsu, 1, 4);
    returning.enter(0, 0, {}, 100, 0);
    returning.bring_back(0, 100, 40);
    CHECK(returning.enter(0, 1, {}, 101, 0) == 102);
    MemoryStages one_way(unit(), 1, 4);
    one_way.enter(0, 0, {}, 100, 0);
    one_way.bring_back(0, 100, 40);  // up to 178
    CHECK(one_way.enter(0, 1, {}, 101, 0) == 180 - 10);
}

TEST_CASE("lines are looked up one a cycle, or one of each bank of tags") {
    MemoryStages stages(unit(), 1, 4);
    stages.enter(0, 0, {}, 100, 0);
    TagPasses of_one;
    CHECK(stages.look_up_tag(of_one, 7, 100) == 100);
    CHECK(stages.look_up_tag(of_one, 8, 100) == 101);
    TagPasses of_next;
    CHECK(stages.look_up_tag(of_next, 9, 100) == 102);
    LsuParameters lsu = unit();
    lsu.tags_per_cycle = 4;
    lsu.tag_hash = {1, 2, 1};  // lines 0 and 5 are of one bank, 1 and 4 of another
    MemoryStages banks(lsu, 1, 4);
    banks.enter(0, 0, {}, 100, 0);
    TagPasses passes;
    for (const std::uint64_t line : {0U, 1U, 2U, 3U}) CHECK(banks.look_up_tag(passes, line, 100) == 100);
    CHECK(banks.look_up_tag(passes, 4, 100) == 101);
    CHECK(banks.look_up_tag(passes, 5, 100) == 101);
    CHECK(banks.look_up_tag(passes, 0x10, 100) == 102);  // no bit that counts: the third of line 0's bank
    CHECK(passes.count == 3);
}

TEST_CASE("lines that miss leave one after another") {
    LsuParameters lsu = unit();
    lsu.miss_interval_cycles = 2;
    MemoryStages stages(lsu, 1, 4);
    stages.enter(0, 0, {}, 100, 0);
    CHECK(stages.leave(100) == 100);
    CHECK(stages.leave(100) == 102);
    CHECK(stages.leave(105) == 106);
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

// validate/records/h200/probes/lsu_bursts.csv.zst.
TEST_CASE("where the data stage has room for so many instructions, the next waits for the first of them") {
    LsuParameters lsu = unit();
    lsu.data_buffer_accesses = 2;
    lsu.register_read_latency_cycles = 6;
    MemoryStages stages(lsu, 2, 4);
    CHECK(stages.enter(0, 0, {}, 100, 0) == 100);
    CHECK(stages.pass({.subcore = 0, .warp = 0, .wavefronts = 20}, 100) == 138);
    CHECK(stages.enter(1, 1, {}, 100, 0) == 101);
    // However short the second is; and whichever sub-core comes third.
    CHECK(stages.enter(1, 1, {}, 100, 0) == 140);
    // A place in the queue is free when the registers have been read.
    CHECK(stages.enter(1, 1, {}, 100, 0) == 142);
    CHECK(stages.queue_free(1) == 140 + 6);
}

TEST_CASE("what waits in no queue shares the entrance") {
    MemoryStages stages(unit(), 2, 4);
    CHECK(stages.accept(100) == 100);
    CHECK(stages.accept(100) == 101);
    CHECK(stages.enter(0, 0, {}, 100, 0) == 102);
}
