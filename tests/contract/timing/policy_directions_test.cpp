// Small kernels that isolate a policy: cycles change as arithmetic says.
#include <string_view>

#include "tests/unit/timing/scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

constexpr std::uint32_t warps = 8;

/// One sub-core that issues every cycle; results of the XU, whatever their number, come after `latency` cycles.
Platform one_sub_core(WarpSchedulers::Choice scheduler, std::uint32_t latency = 450) {
    Platform platform = bare_platform();
    platform.sm.warp_scheduler = scheduler;
    platform.sm.subcores = 1;
    platform.sm.max_warps = 16;
    platform.sm.register_bank_ports = 3;
    platform.pipes.fma = {.issue_interval_cycles = 1, .latency_cycles = 4};
    platform.pipes.xu = {.issue_interval_cycles = 1, .latency_cycles = latency};
    return platform;
}

/// A GPU of one SM, slice and channel whose DRAM has four banks of rows of 1 KiB, and nothing of DRAM's latency but
/// theirs.
Platform one_channel(DramSchedulers::Choice scheduler) {
    Platform platform = bare_platform();
    platform.clock.sm_mhz = 1000;  // a cycle is a nanosecond
    platform.l2.slices = 1;
    platform.l2.bytes = 1U << 24U;
    platform.l2.address_map = AddressMaps::named("interleaved");
    platform.dram.scheduler = scheduler;
    platform.dram.channels = 1;
    platform.dram.bandwidth_gb_per_s = 64;  // the 64 bytes of an access in one cycle
    platform.dram.efficiency = 1;
    platform.dram.banks = 4;
    platform.dram.row_bytes = 1024;
    platform.dram.t_rcd_ns = 200;
    platform.dram.t_rp_ns = 300;
    platform.dram.t_cas_ns = 100;
    platform.dram.t_ras_ns = 200;
    platform.dram.latency_cycles = 300;
    return platform;
}

constexpr std::uint32_t loads = 14;

/// One warp's loads from `base` on, `stride` bytes apart, each after the one before.
Script chain_of_loads(std::uint64_t stride) {
    Script script;
    for (std::uint64_t i = 0; i < loads; ++i)
        script.add(ldg, {.stall = 2, .write_barrier = 0, .wait_mask = 1}, 1,
                   lanes_at((std::uint64_t{1} << 20U) + i * stride, 4, 1));
    return script.exit(1);
}

}  // namespace

TEST_CASE("warps that take turns end together, greedy ones end one after the other, both in the same time") {
    constexpr std::uint32_t length = 200;
    const Script script = Script().add(fp32_add, {.stall = 1}, length).exit();
    const TimingResult turns = simulate(one_sub_core(WarpSchedulers::named("loose_round_robin")), script, warps);
    const TimingResult greedy = simulate(one_sub_core(WarpSchedulers::named("greedy_then_youngest")), script, warps);
    // One instruction a cycle; a warp's is 201 long with its EXIT. Before that, its code is fetched.
    constexpr std::uint64_t total = warps * (length + 1);
    const std::uint64_t fetched = simulate(one_sub_core(WarpSchedulers::named("loose_round_robin")), Script().exit())
                                      .events["sm__warps_active.sum"_metric];
    CHECK(static_cast<double>(turns.cycles.count) == Approx(static_cast<double>(greedy.cycles.count)).margin(warps));
    // All are there to the end, but for the last round: their times differ by eight cycles at most.
    CHECK(turns.events["sm__warps_active.sum"_metric] >= warps * (fetched + total - warps));
    CHECK(turns.events["sm__warps_active.sum"_metric] <= warps * (fetched + total + warps));
    // The first ends after an eighth of the time, the second after two: 1 + 2 + ... + 8 eighths.
    CHECK(static_cast<double>(greedy.events["sm__warps_active.sum"_metric] - warps * fetched) ==
          Approx(4.5 * static_cast<double>(total)).epsilon(0.02));
}

TEST_CASE("greedy until yield: warps end one after the other where no code yields, together where all of it does") {
    const auto warp_cycles = [](bool stay) {
        const Script script = Script().add(fp32_add, {.stall = 1, .stay = stay}, 200).exit();
        return simulate(one_sub_core(WarpSchedulers::named("greedy_until_yield")), script, warps)
            .events["sm__warps_active.sum"_metric];
    };
    CHECK(static_cast<double>(warp_cycles(true)) / static_cast<double>(warp_cycles(false)) ==
          Approx(4.5 / 8).margin(0.05));
}

TEST_CASE("a long wait is hidden behind other warps' work where one warp is ahead, and met by all at once in turns") {
    constexpr std::uint32_t half = 50;
    constexpr std::uint32_t latency = 450;  // longer than all first halves
    const Script script = Script()
                              .add(fp32_add, {.stall = 1}, half)
                              .add(mufu, {.stall = 1, .write_barrier = 0})
                              .add(fp32_add, {.stall = 1, .wait_mask = 1}, half)
                              .exit();
    const auto with = [&](std::string_view name) {
        const Platform platform = one_sub_core(WarpSchedulers::named(name), latency);
        return simulate(platform, script, warps).cycles.count - empty_cycles(platform);
    };
    // In turns all come to the wait after 8 x 51 cycles, wait, and have as much before them as behind.
    constexpr double in_turns = warps * (half + 1) + latency + warps * (half + 1);
    CHECK(static_cast<double>(with("loose_round_robin")) == Approx(in_turns).margin(2 * warps));
    // One after the other: the last comes to its wait after 8 x 51 cycles, and when that is over, the others have long
    // gone through their second halves; only its own follows.
    constexpr double greedy = warps * (half + 1) + latency + (half + 1);
    for (const std::string_view name : {"greedy_then_youngest", "greedy_then_oldest"}) {
        CAPTURE(name);
        CHECK(static_cast<double>(with(name)) == Approx(greedy).margin(2 * warps));
    }
    // A group of eight is all warps: as in turns.
    CHECK(with("two_level") == with("loose_round_robin"));
}

TEST_CASE("groups of two levels come to a long wait at different times") {
    constexpr std::uint32_t half = 50;
    const Script script = Script()
                              .add(fp32_add, {.stall = 1}, half)
                              .add(mufu, {.stall = 1, .write_barrier = 0})
                              .add(fp32_add, {.stall = 1, .wait_mask = 1}, half)
                              .exit();
    Platform platform = one_sub_core(WarpSchedulers::named("two_level"));
    const std::uint64_t one_group = cycles(platform, script, warps);
    platform.sm.scheduler_group_warps = 2;
    const std::uint64_t four_groups = cycles(platform, script, warps);
    // Three of four groups' second halves, 2 x 51 cycles each, go on while the last group waits.
    CHECK(static_cast<double>(one_group - four_groups) == Approx(3 * 2 * (half + 1)).epsilon(0.2));
}

TEST_CASE("loads along an open row need a column command, loads of other rows of its bank all three") {
    // In a row of 1 KiB are eight lines of 128 bytes: 14 accesses of 64 bytes are in one row. Rows of the bank are four
    // apart.
    constexpr std::uint64_t along = 64;
    constexpr std::uint64_t across = 4 * 1024;
    const Platform open = one_channel(DramSchedulers::named("first_ready_open_rows"));
    const std::uint64_t row = cycles(open, chain_of_loads(along));
    const std::uint64_t rows = cycles(open, chain_of_loads(across));
    // All but the first, which opens a row in both: tRP + tRCD more.
    CHECK(rows - row == (loads - 1) * (300 + 200));
    // What a load takes beyond a hit in L2 is DRAM's part: (tRP + tRCD + tCAS) / tCAS, with a cycle or two for the
    // data.
    const std::uint64_t hit = open.l2.hit_latency_cycles;
    const double quick = static_cast<double>(row - empty_cycles(open)) / loads - static_cast<double>(hit);
    const double slow = static_cast<double>(rows - empty_cycles(open)) / loads - static_cast<double>(hit);
    CHECK(slow / quick > 0.8 * (300 + 200 + 100) / 100.0);
    CHECK(slow / quick < (300 + 200 + 100) / 100.0);
    // A queue knows no rows.
    const Platform queue = one_channel(DramSchedulers::named("in_order"));
    CHECK(cycles(queue, chain_of_loads(along)) == cycles(queue, chain_of_loads(across)));
}

TEST_CASE("rows of different banks are opened side by side, rows of one bank one after the other") {
    // Eight loads at once, without a wait between them.
    const auto at_once = [](std::uint64_t stride) {
        Script script;
        for (std::uint64_t i = 0; i < 8; ++i)
            script.add(ldg, {.stall = 2, .write_barrier = 0}, 1,
                       lanes_at((std::uint64_t{1} << 20U) + i * stride, 4, 1));
        return script.exit(1);
    };
    const Platform open = one_channel(DramSchedulers::named("first_ready_open_rows"));
    const std::uint64_t four_banks = cycles(open, at_once(1024));
    const std::uint64_t one_bank = cycles(open, at_once(4 * 1024));
    // Two rows a bank, so one precharge and activation more than the first; or eight, so seven: six of tRP + tRCD more,
    // tRAS being no more than tRCD.
    CHECK(static_cast<double>(one_bank - four_banks) == Approx(6 * (300 + 200)).margin(30));
}

TEST_CASE("single accesses of many rows come as often as rows are activated, those of one row as its bytes do") {
    // Sixteen loads at once; an activation every 50 cycles, and the 64 bytes of an access in one.
    constexpr std::uint64_t at_once = 16;
    const auto all_at = [](std::uint64_t stride) {
        Script script;
        for (std::uint64_t i = 0; i < at_once; ++i)
            script.add(ldg, {.stall = 2, .write_barrier = 0}, 1,
                       lanes_at((std::uint64_t{1} << 20U) + i * stride, 4, 1));
        return script.exit(1);
    };
    Platform bound = one_channel(DramSchedulers::named("activation_bound"));
    bound.dram.t_rrd_ns = 50;
    Platform queue = bound;
    queue.dram.scheduler = DramSchedulers::named("in_order");
    const auto along = cycles(bound, all_at(64));
    CHECK(along == cycles(queue, all_at(64)));
    const auto across = cycles(bound, all_at(1024));
    const auto gone = cycles(queue, all_at(1024));
    // All but the first wait for their row's turn; what they come late, as the loads are issued one after the other, is
    // within that.
    CHECK(static_cast<double>(across - gone) == Approx((at_once - 1) * 50.0).margin(40));
    // Four within tFAW, where that is the longer one.
    bound.dram.t_faw_ns = 400;
    CHECK(static_cast<double>(cycles(bound, all_at(1024)) - gone) == Approx((at_once - 1) * 100.0).margin(40));
    // A bank's row stays open until another of it is wanted: two rows of one bank in turn are activated each time, of
    // two banks once each.
    const auto in_turn = [](std::uint64_t apart) {
        Script script;
        for (std::uint64_t i = 0; i < at_once; ++i)
            script.add(ldg, {.stall = 2, .write_barrier = 0}, 1,
                       lanes_at((std::uint64_t{1} << 20U) + i % 2 * apart + i / 2 * 64, 4, 1));
        return script.exit(1);
    };
    CHECK(cycles(bound, in_turn(4 * 1024)) > cycles(bound, in_turn(1024)) + 1000);
}
