// The memory path of an SM: bank conflicts, hits and misses, a full queue.
#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

constexpr isa::ControlCode writes_0{.stall = 1, .write_barrier = 0};

/// Issue to result of the last of the script's loads, which write scoreboard 0.
std::uint64_t latency(const Platform& platform, Script script) { return extra_cycles(platform, script.exit(1)); }

}  // namespace

TEST_CASE("a shared load of n conflicts takes 2(n - 1) cycles more than one of none") {
    const Platform platform = bare_platform();
    for (const std::uint64_t conflicts : {1U, 2U, 4U, 8U, 16U, 32U}) {
        CAPTURE(conflicts);
        const Script script = Script().add(lds, writes_0, 1, lanes_at(0, 4 * conflicts));
        CHECK(latency(platform, script) == platform.lsu.shared_load_latency_cycles + 2 * (conflicts - 1));
        const TimingResult result = simulate(platform, Script(script).exit(1));
        CHECK(result.instructions[0].shared_wavefronts == conflicts);
        CHECK(result.instructions[0].shared_wavefronts_ideal == 1);
    }
    CHECK(latency(platform, Script().add(lds, writes_0, 1, lanes_at(0, 0))) == platform.lsu.shared_load_latency_cycles);
}

TEST_CASE("a conflicting store holds up its sub-core's load behind it, two cycles a wavefront") {
    Platform platform = bare_platform();
    platform.lsu.issue_interval_cycles = 2;
    const auto after_store = [&](std::uint64_t conflicts) {
        return latency(
            platform,
            Script().add(sts, {.stall = 1}, 1, lanes_at(0, 4 * conflicts)).add(lds, writes_0, 1, lanes_at(0, 4)));
    };
    CHECK(after_store(2) == after_store(1));  // hidden: address and data take four cycles to the unit
    CHECK(after_store(16) == after_store(1) + 2 * 16 - 4);
    CHECK(after_store(32) == after_store(1) + 2 * 32 - 4);
}

TEST_CASE("predicated-off accesses cost no wavefront") {
    const Platform platform = bare_platform();
    const Script script = Script().add(lds, writes_0, 1, lanes_at(0, 128, 0)).exit(1);
    CHECK(simulate(platform, script).instructions[0].shared_wavefronts == 0);
    CHECK(extra_cycles(platform, script) <= platform.lsu.shared_load_latency_cycles);
}

TEST_CASE("a load takes DRAM's latency the first time, L1's the second, L2's for a sector that came along") {
    Platform platform = bare_platform();
    platform.dram.access_bytes = 64;
    const auto transfer_most = 10U;  // one access on an idle channel
    const Script first = Script().add(ldg, writes_0, 1, lanes_at(1 << 20, 0));
    const std::uint64_t cold = latency(platform, first);
    CHECK(cold >= platform.l2.hit_latency_cycles + platform.dram.latency_cycles);
    CHECK(cold <= platform.l2.hit_latency_cycles + platform.dram.latency_cycles + transfer_most);

    const isa::ControlCode waits{.stall = 1, .write_barrier = 0, .wait_mask = 1};
    Script again = first;
    again.add(ldg, waits, 1, lanes_at(1 << 20, 0));
    CHECK(latency(platform, again) == cold + platform.lsu.l1_hit_latency_cycles);

    Script neighbour = first;
    neighbour.add(ldg, waits, 1, lanes_at((1 << 20) + 32, 0));
    CHECK(latency(platform, neighbour) == cold + platform.l2.hit_latency_cycles);

    Script other_granule = first;
    other_granule.add(ldg, waits, 1, lanes_at((1 << 20) + 64, 0));
    CHECK(latency(platform, other_granule) >= 2 * cold - transfer_most);
}

TEST_CASE("what L2 has passes what comes from DRAM") {
    Platform platform = bare_platform();
    platform.dram.access_bytes = 128;
    platform.dram.latency_cycles = 1000;
    const isa::ControlCode writes_1{.stall = 1, .write_barrier = 1, .wait_mask = 1};
    const isa::ControlCode waits{.stall = 1, .write_barrier = 0, .wait_mask = 1};
    const Script brings_line = Script().add(ldg, writes_0, 1, lanes_at(1 << 20, 0));
    Script misses = brings_line;
    misses.add(ldg, writes_1, 1, lanes_at(1 << 24, 0));
    Script hits_meanwhile = misses;
    hits_meanwhile.add(ldg, writes_0, 1, lanes_at((1 << 20) + 32, 0));
    hits_meanwhile.add(ldg, waits, 1, lanes_at((1 << 20) + 64, 0));
    CHECK(extra_cycles(platform, hits_meanwhile.exit(0b11)) <= extra_cycles(platform, misses.exit(0b11)) + 4);
}

TEST_CASE("an SM receives no more bytes a cycle than its port takes") {
    Platform platform = bare_platform();
    const Script script = Script().add(ldg, writes_0, 1, lanes_at(1 << 20, 128));
    platform.lsu.return_bytes_per_cycle = 64;
    const std::uint64_t fast = latency(platform, script);
    platform.lsu.return_bytes_per_cycle = 4;
    CHECK(latency(platform, script) >= 31 * 32 / 4);
    CHECK(latency(platform, script) >= fast + 31 * (32 / 4 - 1) - 32);
}

TEST_CASE("a load of a sector that is on its way waits for it and asks for nothing") {
    const Platform platform = bare_platform();
    const Script one = Script().add(ldg, writes_0, 1, lanes_at(1 << 20, 4));
    const Script two = Script().add(ldg, writes_0, 2, lanes_at(1 << 20, 4));
    CHECK(latency(platform, two) <= latency(platform, one) + 4);
    const TimingResult result = simulate(platform, Script(two).exit(1));
    CHECK(result.events["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"_metric] == 2);
    CHECK(result.events["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup.sum"_metric] == 8);
    CHECK(result.events["lts__t_sectors_op_read.sum"_metric] == 4);
    CHECK(result.events["dram__bytes_read.sum"_metric] == 128);
}

TEST_CASE("scattered loads take a tag lookup a line; sectors are counted where they go") {
    const Platform platform = bare_platform();
    const TimingResult coalesced = simulate(platform, Script().add(ldg, writes_0, 1, lanes_at(1 << 20, 4)).exit(1));
    const TimingResult scattered = simulate(platform, Script().add(ldg, writes_0, 1, lanes_at(1 << 20, 128)).exit(1));
    CHECK(coalesced.events["lts__t_sectors_op_read.sum"_metric] == 4);
    CHECK(scattered.events["lts__t_sectors_op_read.sum"_metric] == 32);
    CHECK(scattered.instructions[0].global_sectors == 32);
    CHECK(scattered.instructions[0].global_lines == 32);
    CHECK(scattered.cycles.count >= coalesced.cycles.count + 31);
    const TimingResult stored = simulate(platform, Script().add(stg, {.stall = 1}, 1, lanes_at(1 << 20, 128)).exit());
    CHECK(stored.events["lts__t_sectors_op_write.sum"_metric] == 32);
    CHECK(stored.events["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum"_metric] == 32);
    CHECK(stored.events["lts__t_sectors_op_read.sum"_metric] == 0);
}

TEST_CASE("a full queue holds up issue, and the wait is booked as throttle") {
    Platform platform = bare_platform();
    constexpr std::uint32_t length = 24;
    const Script script = Script().add(lds, {.stall = 1}, length, lanes_at(0, 4)).exit();
    platform.lsu.queue_entries = 64;
    const std::uint64_t deep = extra_cycles(platform, script);
    CHECK(deep == length);
    platform.lsu.queue_entries = 1;
    const std::uint64_t shallow = extra_cycles(platform, script);
    CHECK(shallow >= std::uint64_t{platform.lsu.issue_interval_cycles} * (length - 2));
    std::uint64_t throttled = 0;
    for (const auto& row : simulate(platform, script).stalls)
        throttled += row[static_cast<std::size_t>(Stall::mio_throttle)];
    CHECK(throttled == shallow - deep);
}

TEST_CASE("four sub-cores share one data stage") {
    const Platform platform = bare_platform();
    constexpr std::uint32_t length = 64;
    // Conflicts of 8: a sub-core takes 16 cycles an instruction for its way back, the shared stage 8.
    const Script script = Script().add(lds, writes_0, length, lanes_at(0, 32)).exit(1);
    const std::uint64_t one = cycles(platform, script, 1) - empty_cycles(platform);
    const std::uint64_t two = cycles(platform, script, 2) - empty_cycles(platform);
    const std::uint64_t four = cycles(platform, script, 4) - empty_cycles(platform);
    CHECK(one >= 16 * (length - 1));
    CHECK(two <= one + 32);
    CHECK(four >= 4 * 8 * (length - 1));
    CHECK(four <= 4 * 8 * length + 100);
}

TEST_CASE("wavefronts of one sub-core's stores go every second cycle, of four sub-cores one a cycle") {
    const Platform platform = bare_platform();
    constexpr std::uint32_t length = 64;
    for (const std::uint64_t conflicts : {4U, 8U, 16U, 32U}) {
        CAPTURE(conflicts);
        const Script script = Script()
                                  .add(sts, {.stall = 1}, length, lanes_at(0, 4 * conflicts))
                                  .add(lds, writes_0, 1, lanes_at(0, 4))
                                  .exit(1);
        const std::uint64_t one = cycles(platform, script, 1) - empty_cycles(platform);
        const std::uint64_t four = cycles(platform, script, 4) - empty_cycles(platform, 4);
        CHECK(one >= 2 * conflicts * length);
        CHECK(one <= 2 * conflicts * length + 60);
        CHECK(four >= 4 * conflicts * length);
        CHECK(four <= 4 * conflicts * length * 102 / 100 + 60);
    }
}

TEST_CASE("a store takes its sub-core's way for its address and each register of data") {
    Platform platform = bare_platform();
    constexpr std::uint32_t length = 64;
    constexpr isa::Word128 sts_64{0x0000000604007388, 0x00000a00};   ///< STS.64 [R4], R6
    constexpr isa::Word128 sts_128{0x0000000803007388, 0x00000c00};  ///< STS.128 [R3], R8
    const auto a_store = [&](isa::Word128 word) {
        // Half as many lanes for each doubling of the width: one wavefront all the same.
        const std::uint32_t mask = word.high == sts.high ? full_mask : word.high == sts_64.high ? 0xffffU : 0xffU;
        const auto of = [&](std::uint32_t times) {
            return cycles(platform, Script()
                                        .add(word, {.stall = 1}, times,
                                             lanes_at(0,
                                                      mask == full_mask ? 4
                                                      : mask == 0xffffU ? 8
                                                                        : 16,
                                                      mask))
                                        .exit());
        };
        return (of(2 * length) - of(length)) / length;
    };
    CHECK(a_store(sts) == 4);
    CHECK(a_store(sts_64) == 6);
    CHECK(a_store(sts_128) == 10);
    platform.lsu.operand_register_cycles = 0;
    CHECK(a_store(sts_128) == 3);  // five registers from two banks
}

TEST_CASE("wide loads of several wavefronts deliver their registers one after the other") {
    const Platform platform = bare_platform();
    constexpr isa::Word128 lds_128{0x00000000030c7984, 0x00000c00};  ///< LDS.128 R12, [R3]
    const std::uint64_t narrow = latency(platform, Script().add(lds, writes_0, 1, lanes_at(0, 4)));
    CHECK(latency(platform, Script().add(lds_128, writes_0, 1, lanes_at(0, 16))) == narrow + 3 * 2 + 3);
    CHECK(latency(platform, Script().add(lds_128, writes_0, 1, lanes_at(0, 0, 0xff))) == narrow);
}

TEST_CASE("sub-cores that are not there at once leave no cycle of the data stage unused") {
    const Platform platform = bare_platform();
    constexpr std::uint32_t length = 256;
    // One wavefront each from 32 warps; a scoreboard now and then, so that warps drift apart.
    Script script;
    for (std::uint32_t i = 0; i < length / 8; ++i) {
        script.add(lds, {.stall = 1}, 7, lanes_at(0, 4)).add(lds, writes_0, 1, lanes_at(0, 4));
        script.add(fp32_add, {.stall = 4, .wait_mask = 1});
    }
    script.exit();
    const std::uint64_t taken = cycles(platform, script, 32) - empty_cycles(platform, 32);
    CHECK(taken >= 32 * length);
    CHECK(taken <= 32 * length * 105 / 100);
}

TEST_CASE("stores to one line that follow one another reach L2 as one, all of them before the kernel ends") {
    Platform platform = bare_platform();
    platform.lsu.store_merge_idle_cycles = 6;
    platform.lsu.store_merge_hold_cycles = 12;
    const auto sectors_written = [&](std::uint32_t lines, std::uint8_t stall) {
        platform.lsu.store_merge_lines = lines;
        const Script script = Script().add(stg, {.stall = stall}, 8, lanes_at(1 << 20, 4)).exit();
        return simulate(platform, script).events["lts__t_sectors_op_write.sum"_metric];
    };
    CHECK(sectors_written(4, 4) == 4);
    CHECK(sectors_written(4, 15) == 8 * 4);  // each has left when the next comes
    CHECK(sectors_written(0, 4) == 8 * 4);
}

TEST_CASE("stores wait in the memory unit while as many as it may have are on their way to L2") {
    Platform platform = bare_platform();
    const auto cycles = [&](std::uint32_t outstanding) {
        platform.lsu.outstanding_stores = outstanding;
        Script script;
        for (std::uint64_t i = 0; i < 4; ++i) script.add(stg, {.stall = 1}, 1, lanes_at((1 << 20) + i * 4096, 128));
        // Loads that queue behind them in the sub-core wait too.
        return extra_cycles(platform, script.add(lds, writes_0, 1, lanes_at(0, 4)).exit(1));
    };
    // 128 lines; what is left when the last store enters the unit is at most its own 32.
    const std::uint64_t trip = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    CHECK(cycles(8) > cycles(256) + 10 * trip);
    CHECK(cycles(256) < 2 * trip);
}
