// SPT's rivals, each on numbers of its paper where they are known to us, else on values worked by hand from its
// equations.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstdint>

#include "validate/models/rivals/abstract_machines.hpp"
#include "validate/models/rivals/hong_kim.hpp"
#include "validate/models/rivals/interval.hpp"
#include "validate/models/rivals/kothapalli_spt.hpp"
#include "validate/models/rivals/memory_machines.hpp"
#include "validate/models/rivals/pram.hpp"
#include "validate/models/rivals/sim_2012.hpp"
#include "validate/models/rivals/sitchinava_weichert.hpp"
#include "validate/models/rivals/volkov.hpp"

using namespace sassafras::validate::rivals;

namespace {

/// The worked example of Hong and Kim: 27 computing and 6 uncoalesced memory instructions a warp, 80 blocks of 4 warps,
/// 5 blocks on each of 16 SMs.
HongKimInput example() {
    HongKimInput input;
    input.computing = 27;
    input.uncoalesced = 6;
    input.synchronisations = 6;
    input.blocks = 80;
    input.active_blocks = 5;
    input.active_warps = 20;
    input.active_sms = 16;
    input.memory_latency = 420;
    input.coalesced_delay = 4;
    input.uncoalesced_delay = 10;
    input.issue_cycles = 4;
    input.bandwidth = 80;  // 80 GB/s at 1 GHz
    return input;
}

}  // namespace

TEST_CASE("Hong and Kim: the paper's example") {
    // Results as the tests of a public re-implementation (perf_model, J. Stevens 2015) quote them from the paper:
    // MWP 2.28, CWP 20, 50738 cycles. The paper goes on with the rounded MWP, so ours is 10 cycles less.
    const HongKimEstimate estimate = hong_kim(example());
    CHECK(estimate.mwp == Approx(2.28).margin(0.005));
    CHECK(estimate.cwp == 20);
    CHECK(estimate.cycles == Approx(50738).epsilon(0.0005));
}

TEST_CASE("Hong and Kim: the three cases, by hand") {
    // one coalesced access, latency 100, delay 50: MWP = 2 of N = 4; computation 3 * 10, CWP = min(130 / 30, 4) = 4
    HongKimInput input;
    input.computing = 2;
    input.coalesced = 1;
    input.blocks = 8;
    input.active_blocks = 1;
    input.active_warps = 4;
    input.active_sms = 4;
    input.memory_latency = 100;
    input.coalesced_delay = 50;
    input.issue_cycles = 10;
    input.bandwidth = 1e9;
    CHECK(hong_kim(input).cycles == Approx((100 * 4 / 2.0 + 30) * 2));  // CWP >= MWP, two rounds of blocks
    input.coalesced_delay = 1;                                          // MWP = N = CWP = 4
    CHECK(hong_kim(input).cycles == Approx((100 + 30 + 30 * 3.0) * 2));
    input.computing = 5;  // computation 60, CWP = 160 / 60 < MWP: all but one latency is hidden
    CHECK(hong_kim(input).cycles == Approx((100 + 60 * 4.0) * 2));
    input.coalesced = 0;
    CHECK(hong_kim(input).cycles == Approx(50 * 4.0 * 2));
    // bandwidth: 128 bytes in 100 cycles a warp on 4 SMs; 10.24 bytes a cycle feed two warps each
    input = {};
    input.computing = 2;
    input.coalesced = 1;
    input.blocks = 4;
    input.active_warps = 4;
    input.active_sms = 4;
    input.memory_latency = 100;
    input.coalesced_delay = 1;
    input.issue_cycles = 10;
    input.bandwidth = 10.24;
    CHECK(hong_kim(input).mwp == Approx(2));
}

TEST_CASE("Sim et al.: equations by hand") {
    // The paper's own results need its counters, which we have not: no number of it is tested.
    SimInput input;
    input.instructions = 10;
    input.memory = 2;
    input.warps = 32;
    input.blocks = 8;
    input.active_warps = 4;
    input.active_sms = 2;
    input.instruction_latency = 8;
    input.cycles_per_issue = 1;
    input.memory_latency = 100;
    input.transactions = 1;
    input.departure_delay = 25;
    input.bandwidth = 1e9;
    // ITILP = min(4, 8); W_par = 10 * 16 * 8 / 4 = 320; comp_cycles 20, mem_cycles 200: CWP = min(11, 4); MWP = 4,
    // MWP_cp = 3
    const SimEstimate estimate = sim_2012(input);
    CHECK(estimate.computation == Approx(320));
    CHECK(estimate.memory == Approx(2 * 16 / 3.0 * 100));
    CHECK(estimate.overlap == Approx(320 * 3 / 4.0));  // CWP <= MWP: zeta = 1
    CHECK(estimate.cycles == Approx(320 + 3200 / 3.0 - 240));
    input.bank_conflict_cycles = 50;
    CHECK(sim_2012(input).computation == Approx(370));
    input.bank_conflict_cycles = 0;
    input.synchronisations = 1;  // 8 / 2 * 64 * 100 * 2 / 10
    CHECK(sim_2012(input).computation == Approx(320 + 4 * 1280));
    input.memory = 0;
    CHECK(sim_2012(input).cycles == Approx(320));
}

TEST_CASE("Volkov: warps that hide latency on Maxwell") {
    // GTX 980 (chapter 4): memory latency 368, arithmetic 6 cycles at 4 a cycle, "about 24 and about 30 warps", cusp of
    // about 54 at alpha of about 49. The memory throughput follows from 30 warps: 30 / 368.
    VolkovInput input;
    input.memory_latency = 368;
    input.arithmetic_latency = 6;
    input.memory_throughput = 30.0 / 368;
    input.arithmetic_throughput = 4;
    input.issue_throughput = 8;
    CHECK(volkov_warps(input) == Approx(30));  // alpha = 0
    CHECK(volkov_cusp(input) == Approx(49).margin(0.5));
    input.intensity = volkov_cusp(input);
    CHECK(volkov_warps(input) == Approx(54).margin(0.5));
    input.intensity = 1e9;
    CHECK(volkov_warps(input) == Approx(24).epsilon(1e-3));
    // fewer warps: Little's law
    input.intensity = 10;
    CHECK(volkov_throughput(input, 8) == Approx(8 / 428.0));
    CHECK(volkov_throughput(input, 64) == Approx(30.0 / 368));
    input.issue_throughput = 0.5;
    CHECK(volkov_throughput(input, 64) == Approx(0.5 / 11));
}

TEST_CASE("PEM, BSP and AGPU: the bounds of the text on round numbers") {
    CHECK(pem_scan(1 << 20, 4, 32) == 8192);
    // N / (P B) = 256, log_16(2^12) = 3, log2 N = 16
    CHECK(pem_sort(1 << 16, 16, 16, 256) == Approx(256 * 3 + 16));
    CHECK(pem_search(1 << 20, 32) == Approx(4));
    const std::array<Superstep, 2> steps{{{100, 5}, {50, 0}}};
    CHECK(bsp(steps, 4, 30) == 100 + 20 + 30 + 50 + 30);
    CHECK(agpu_sort_io(1 << 20, 64, 32, 64 * 32) == Approx(32768 * 3.0));  // log_32 2^15
    CHECK(agpu_sort_time(1 << 20, 1024, 32) == Approx(1024 * 15 * 5.0));
}

TEST_CASE("DMM and UMM: the example of Nakano's papers") {
    // Two warps of four threads, width 4, latency 5: the DMM takes 2 + 1 slots, 7 time units, the UMM 3 + 2, 9.
    const std::array<std::uint64_t, 4> first{7, 5, 15, 0};
    const std::array<std::uint64_t, 4> second{10, 11, 12, 9};
    CHECK(dmm_slots(first, 4) == 2);
    CHECK(dmm_slots(second, 4) == 1);
    CHECK(umm_slots(first, 4) == 3);
    CHECK(umm_slots(second, 4) == 2);
    CHECK(memory_machine(2 + 1, 1, 5) == 7);
    CHECK(memory_machine(3 + 2, 1, 5) == 9);
    const std::array<std::uint64_t, 4> same{6, 6, 6, 6};
    CHECK(dmm_slots(same, 4) == 1);
    // n words in order by p threads: n / w + (l - 1) n / p
    CHECK(memory_machine(1024 / 32.0, 1024 / 64.0, 100) == 32 + 16 * 99);
    // 2^20 / 32 + 2^20 * 100 / 2^10 + 100 * 20
    CHECK(memory_machine_sum(1 << 20, 1 << 10, 32, 100) == 32768 + 102400 + 2000);
}

TEST_CASE("PRAM: work over processors, and the longest thread") {
    CHECK(pram(1000, 7, 10) == 107);
    CHECK(pram(1000, 7, 1000) == 8);
}

TEST_CASE("Sitchinava and Weichert: computation, transfers, synchronisation") {
    const std::array<PosterKernel, 2> kernels{{{100, 3}, {50, 0}}};
    CHECK(sitchinava_weichert(kernels, 400, 1000) == 100 + 3 * 400 + 50 + 2 * 1000);
}

TEST_CASE("Kothapalli et al. as an SPT model: no bandwidth, so latency over threads") {
    CHECK(unbounded_access_time(1000, 269.5, 16) == Approx(1000 * 269.5 / 16));
}

TEST_CASE("roofline: a ridge, slope before it and flat behind") {
    CHECK(roofline_rate(1, 100, 10) == 10);
    CHECK(roofline_rate(10, 100, 10) == 100);
    CHECK(roofline_rate(50, 100, 10) == 100);
    CHECK(roofline(1000, 100, 50, 10) == 10);
    CHECK(roofline(1000, 100, 500, 10) == 50);
}

TEST_CASE("TMM: work, span or latency, whichever is greatest") {
    ThreadedManyCore input{1000, 20, 100, 50, 5, 10};
    CHECK(tmm(input) == 100);  // T_1 / P = 100, M L / (tau P) = 100
    input.threads = 1;
    CHECK(tmm(input) == 500);
    input = {1000, 200, 100, 50, 50, 10};
    CHECK(tmm(input) == 200);
}

TEST_CASE("Kothapalli et al.: sum and maximum") {
    // 4 blocks of 8 warps on 8 cores, 4 deep: 32 passes
    const KothapalliInput input{4, 8, 32, 8, 4, 100, 60};
    CHECK(kothapalli_sum(input) == 32 * 160);
    CHECK(kothapalli_max(input) == 32 * 100);
}

TEST_CASE("interval model: one warp, many warps, no stalls") {
    const std::array<IssueInterval, 2> intervals{{{10, 30}, {5, 0}}};
    IntervalInput input;
    input.intervals = intervals;
    input.warps = 1;
    CHECK(interval_cycles(input) == 45);  // all stalls are seen
    // greedy: p = 15 / 45, the others' 3 * 7.5 instructions hide 22.5 of the stall of 30
    input.warps = 4;
    CHECK(interval_cycles(input) == Approx(10 + 22.5 + 7.5 + 5 + 22.5));
    input.warps = 100;  // enough warps: every cycle issues
    CHECK(interval_cycles(input) == Approx(100 * 15));
    // round robin: W p = 1 of the stall is hidden
    input.warps = 4;
    input.order = WarpOrder::round_robin;
    CHECK(interval_cycles(input) == Approx(10 + 30 + 29 + 5 + 15));
    const std::array<IssueInterval, 1> busy{{{10, 0}}};
    input.intervals = busy;
    CHECK(interval_cycles(input) == 40);
    input.intervals = {};
    CHECK(interval_cycles(input) == 0);
    CHECK(queue_cycles(100, 2, 150) == 50);
    CHECK(queue_cycles(100, 1, 150) == 0);
}
