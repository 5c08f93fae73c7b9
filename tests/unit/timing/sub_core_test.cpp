// A sub-core by itself: when it is worth a look, units, register ports.
#include <catch2/catch.hpp>

#include "sim/timing/sm/sub_core.hpp"

using namespace sassafras::sim;

namespace {

Platform registers(std::uint32_t banks, std::uint32_t window) {
    Platform platform{};
    platform.sm.register_banks = banks;
    platform.sm.read_window_cycles = window;
    platform.sm.issue_interval_cycles = 1;
    platform.pipes.fma.latency_cycles = 4;
    return platform;
}

TimingOp reads(std::uint8_t first_bank, std::uint8_t second_bank, Unit unit = Unit::fma, std::uint16_t interval = 1) {
    TimingOp op;
    op.unit = unit;
    op.interval = interval;
    op.read_cycles[0] = first_bank;
    op.read_cycles[1] = second_bank;
    return op;
}

}  // namespace

TEST_CASE("a sub-core is looked at when the first stall ends, and gives back who wakes then") {
    SubCore core;
    CHECK(core.next() == SubCore::never);
    core.wake_at(3, 140);
    core.wake_at(31, 120);
    core.wake_at(0, 140);
    CHECK(core.next() == 120);
    CHECK(core.take_woken(120) == 1U << 31U);
    CHECK(core.take_woken(120) == 0);
    core.looked(120, SubCore::never);
    CHECK(core.next() == 140);
    CHECK(core.take_woken(139) == 0);
    CHECK(core.take_woken(140) == 0b1001);
    core.looked(140, SubCore::never);
    CHECK(core.next() == SubCore::never);
    // A candidate's chance may come before the next stall ends.
    core.wake_at(1, 203);
    core.looked(140, 150);
    CHECK(core.next() == 150);
    core.looked(150, SubCore::never);
    CHECK(core.next() == 203);
}

TEST_CASE("an issue books its unit, takes the warp off the candidates and remembers it") {
    SubCore core;
    const Platform platform = registers(2, 3);
    core.start(8);
    core.start(9);
    core.add_candidate(4, 10);
    core.add_candidate(6, 10);
    CHECK(core.next() == 10);
    CHECK(core.last() == no_warp);
    core.issue(4, 0, reads(0, 0, Unit::alu, 2), platform, 10);
    CHECK(core.candidates() == 1U << 6U);
    CHECK(core.unit_free(Unit::alu, 0) == 12);
    CHECK(core.unit_free(Unit::fma, 0) == 0);
    CHECK(core.dispatch_free() == 11);
    CHECK(!core.ports_busy());
    CHECK(core.last() == 4);
    core.end(6, 20);
    CHECK(core.last() == 4);
    CHECK(core.cycles().active == 0);
    core.end(4, 30);
    CHECK(core.last() == no_warp);
    CHECK(core.cycles().active == 22);
    core.start(40);
    core.end(4, 41);
    CHECK(core.cycles().active == 23);
}

TEST_CASE("reads beyond a bank's window hold up the next issue") {
    const Platform platform = registers(2, 3);
    SubCore core;
    // Three reads of one bank fill the window of three cycles: 10, 11, 12.
    core.issue(0, 0, reads(3, 0), platform, 10);
    CHECK(core.dispatch_free() == 11);
    // Three more are read at 13, 14, 15: two cycles past the window that began at 11, so nothing issues before 14.
    core.issue(1, 0, reads(3, 1), platform, 11);
    CHECK(core.dispatch_free() == 16 - 3 + 1);
    CHECK(core.ports_busy());
    // Two cycles an instruction: at 10 and 11, 12 and 13, within the windows.
    SubCore wide;
    wide.issue(0, 0, reads(2, 0), platform, 10);
    wide.issue(1, 0, reads(2, 0), platform, 11);
    CHECK(wide.dispatch_free() == 12);
}

TEST_CASE("stall counts of all warps stand still while reads beyond their bank's window hold up a sub-core") {
    const Platform platform = registers(2, 3);
    SubCore core;
    core.wake_at(4, 12);
    core.wake_at(5, 14);
    core.issue(0, 0, reads(3, 0), platform, 10);
    CHECK(core.resumes(10) == 10);
    core.issue(1, 0, reads(3, 1, Unit::alu, 2), platform, 11);
    REQUIRE(core.dispatch_free() == 13);
    // Cycle 12 does not count: the instruction is in its pipe then, and who would have woken at 12 does at 13.
    CHECK(core.resumes(11) == 12);
    CHECK(core.unit_free(Unit::alu, 0) == 14);
    core.looked(11, SubCore::never);
    CHECK(core.next() == 13);
    core.wake_at(6, 12);  // what ends meanwhile is seen when counts go on
    CHECK(core.take_woken(12) == 0);
    CHECK(core.take_woken(13) == (1U << 4U | 1U << 6U));
    core.looked(13, SubCore::never);
    CHECK(core.next() == 15);
    CHECK(core.take_woken(15) == 1U << 5U);
    // The farthest place of the ring.
    core.wake_at(7, 15 + SubCore::wake_horizon - 1);
    core.looked(15, SubCore::never);
    CHECK(core.next() == 15 + SubCore::wake_horizon - 1);
}

TEST_CASE("a scheduler that issues every third cycle is not held up by reads that fit in between") {
    Platform platform = registers(2, 3);
    platform.sm.issue_interval_cycles = 3;
    SubCore core;
    core.issue(0, 0, reads(3, 0), platform, 10);
    CHECK(core.dispatch_free() == 13);
    core.issue(1, 0, reads(3, 0), platform, 13);
    CHECK(core.dispatch_free() == 16);
    CHECK(!core.ports_busy());
}

TEST_CASE("the reuse cache holds for the same warp's next instruction only") {
    const Platform platform = registers(2, 1);
    TimingOp op = reads(4, 0);
    op.read_cycles_reuse = {};
    const auto busy_after = [&](std::uint32_t warp, std::uint32_t pc) {
        SubCore core;
        core.issue(2, 7, reads(0, 0), platform, 10);
        core.issue(warp, pc, op, platform, 11);
        return core.ports_busy();
    };
    CHECK(!busy_after(2, 8));
    CHECK(busy_after(2, 9));
    CHECK(busy_after(3, 8));
}

TEST_CASE("either half of a pipe takes FP32, the first integers, both FP16") {
    const Platform platform = registers(2, 3);
    TimingOp fp32 = reads(0, 0);
    fp32.half = FmaHalf::either;
    TimingOp integer = reads(0, 0, Unit::imad, 2);
    integer.half = FmaHalf::first;
    TimingOp fp16 = reads(0, 0, Unit::fp16, 2);
    fp16.half = FmaHalf::both;
    SubCore core;
    core.issue(0, 0, fp32, platform, 10);  // the second half
    CHECK(core.unit_free(Unit::fma, 0) == 0);
    CHECK(core.unit_free(Unit::imad, 0) == 0);
    CHECK(core.unit_free(Unit::fp16, 0) == 12);
    core.issue(0, 1, fp32, platform, 11);  // the first
    CHECK(core.unit_free(Unit::fma, 0) == 12);
    CHECK(core.unit_free(Unit::imad, 0) == 13);
    core.issue(0, 2, integer, platform, 13);
    CHECK(core.unit_free(Unit::imad, 0) == 15);
    CHECK(core.unit_free(Unit::fma, 0) == 12);
    core.issue(0, 3, fp16, platform, 15);
    CHECK(core.unit_free(Unit::fma, 0) == 17);
    CHECK(core.unit_free(Unit::imad, 0) == 17);
}

TEST_CASE("one operation of XU may wait while another is begun") {
    // As an H200 (probes/register_ports.py): the second is issued at once, the third three cycles late, each further
    // one seven.
    Platform platform = registers(2, 3);
    platform.pipes.xu_lead_cycles = 11;
    const TimingOp op = reads(0, 0, Unit::xu, 8);
    SubCore core;
    CHECK(core.issue(0, 0, op, platform, 100) == 100);
    CHECK(core.unit_free(Unit::xu, 0) == 101);
    CHECK(core.issue(0, 1, op, platform, 101) == 108);
    CHECK(core.unit_free(Unit::xu, 0) == 105);
    CHECK(core.issue(0, 2, op, platform, 105) == 116);
    CHECK(core.unit_free(Unit::xu, 0) == 113);
    // Another warp's waits until the unit is about to begin it (probes/xu_turns.cu).
    platform.pipes.xu_other_lead_cycles = 3;
    SubCore turns;
    CHECK(turns.issue(0, 0, op, platform, 100) == 100);
    CHECK(turns.unit_free(Unit::xu, 1) == 105);
    CHECK(turns.issue(1, 0, op, platform, 105) == 108);
    CHECK(turns.unit_free(Unit::xu, 0) == 113);
    CHECK(turns.unit_free(Unit::xu, 1) == 106);
    platform.pipes.xu_lead_cycles = platform.pipes.xu_other_lead_cycles = 0;
    SubCore other;
    CHECK(other.issue(0, 0, op, platform, 100) == 100);
    CHECK(other.unit_free(Unit::xu, 0) == 108);
    CHECK(other.unit_free(Unit::xu, 1) == 108);
}

TEST_CASE("who waits for a scoreboard does so until it is told otherwise") {
    SubCore core;
    core.wait(5);
    CHECK(core.waits(5));
    CHECK(!core.waits(4));
    CHECK(core.candidates() == 0);
    core.stop_waiting(5);
    CHECK(!core.waits(5));
}
