// Whether L1 keeps what is loaded from global memory.
#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

/// Cycles that the second of two loads of one line adds.
std::uint64_t second_load(const Platform& platform) {
    const isa::ControlCode waits{.stall = 1, .write_barrier = 0, .wait_mask = 1};
    const auto loads = [&](std::uint32_t times) {
        return cycles(platform, Script().add(ldg, waits, times, lanes_at(4096, 4)).exit(1));
    };
    return loads(2) - loads(1);
}

}  // namespace

TEST_CASE("a line loaded twice comes from L1, or from L2 where L1 leaves out global loads") {
    Platform platform = bare_platform();
    platform.lsu.l1_hit_latency_cycles = 31;
    platform.l2.hit_latency_cycles = 200;
    CHECK(second_load(platform) < 40);
    platform.lsu.l1_global_loads = L1GlobalLoads::bypassed;
    CHECK(second_load(platform) >= 200);
    CHECK(second_load(platform) < 210);
}

TEST_CASE("sub-cores need not divide the warps of an SM") {
    Platform platform = bare_platform();
    platform.sm.subcores = 6;
    platform.sm.max_warps = 64;
    constexpr std::uint32_t length = 200;
    const Script script = Script().add(fp32_add, {.stall = 1}, length).exit();
    platform.sm.register_bank_ports = 3;
    const auto extra = [&](std::uint32_t warps) { return cycles(platform, script, warps) - empty_cycles(platform); };
    // Six warps issue side by side, the seventh shares a sub-core, and 25 leave one of six with five.
    CHECK(extra(6) == length);
    CHECK(extra(7) == Approx(2 * length).epsilon(0.02));
    CHECK(extra(25) == Approx(5 * length).epsilon(0.02));
}

TEST_CASE("a load that misses L1 brings whole granules, of which it waits for its own sectors") {
    Platform platform = bare_platform();
    const isa::ControlCode waits{.stall = 1, .write_barrier = 0, .wait_mask = 1};
    // Four bytes of a line, then four of its last sector.
    const Script script = Script().add(ldg, waits, 1, lanes_at(4096, 0)).add(ldg, waits, 1, lanes_at(4096 + 96, 0));
    const auto read = [&](std::uint32_t fill_bytes) {
        platform.lsu.l1_fill_bytes = fill_bytes;
        return simulate(platform, Script(script).exit(1)).events["lts__t_sectors_op_read.sum"_metric];
    };
    CHECK(read(32) == 2);
    CHECK(read(64) == 4);
    CHECK(read(128) == 4);
    const TimingResult whole = simulate(platform, Script(script).exit(1));
    CHECK(whole.events["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum"_metric] == 1);
    CHECK(whole.events["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"_metric] == 1);
}

TEST_CASE("L1 keeps a place for a line that is stored to, which a load may lose by it") {
    Platform platform = bare_platform();
    const isa::ControlCode waits{.stall = 1, .write_barrier = 0, .wait_mask = 1};
    const auto hits = [&](std::uint32_t lines) {
        Script script;
        for (std::uint32_t line = 0; line < lines; ++line)
            script.add(stg, {.stall = 1}, 1, lanes_at((1U << 20U) + 128 * line, 4));
        for (std::uint32_t line = 0; line < lines; ++line)
            script.add(stg, {.stall = 1}, 1, lanes_at((1U << 20U) + 128 * line, 4));
        return simulate(platform, script.exit(1))
            .events["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum"_metric];
    };
    CHECK(hits(4) == 4 * 4);  // the second time
    platform.lsu.l1_global_loads = L1GlobalLoads::bypassed;
    CHECK(hits(4) == 0);
    platform.lsu.l1_global_loads = L1GlobalLoads::cached;
    // A line that was loaded, then stores to more lines than there are places.
    const auto misses = [&](std::uint32_t stores) {
        Script script;
        script.add(ldg, waits, 1, lanes_at(4096, 4));
        for (std::uint32_t line = 0; line < stores; ++line)
            script.add(stg, {.stall = 1}, 1, lanes_at((1U << 20U) + 128 * line, 4));
        return simulate(platform, script.add(ldg, waits, 1, lanes_at(4096, 4)).exit(1))
            .events["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum"_metric];
    };
    CHECK(misses(1) == 4);
    CHECK(misses(16384) == 8);
}

TEST_CASE("reductions are looked for in L1 and never there, and are no stores") {
    const isa::ControlCode waits{.stall = 1, .write_barrier = 0, .wait_mask = 1};
    const auto events = [&](const isa::Word128& second) {
        Script script;
        script.add(ldg, waits, 1, lanes_at(4096, 4));
        script.add(second, {.stall = 1, .wait_mask = 1}, 1, lanes_at(4096, 4));
        return simulate(bare_platform(), script.exit(1)).events;
    };
    const MetricCounts stored = events(stg);
    CHECK(stored["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum"_metric] == 4);
    CHECK(stored["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum"_metric] == 4);
    CHECK(stored["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"_metric] == 1);
    const MetricCounts reduced = events(red);
    CHECK(reduced["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum"_metric] == 4);
    CHECK(reduced["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum"_metric] == 0);
    CHECK(reduced["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"_metric] == 0);
}

TEST_CASE("as many lines are under way as L1 has places for, where accesses keep places before the data stage") {
    Platform platform = bare_platform();
    platform.l2.hit_latency_cycles = 1000;
    constexpr std::uint32_t loads = 32;
    Script script;
    for (std::uint32_t load = 0; load < loads; ++load)
        script.add(ldg, {.stall = 1, .write_barrier = 0}, 1, lanes_at(8192 * (1 + load), 128));
    script.add(fp32_add, {.stall = 1, .wait_mask = 1}, 1).exit(1);
    const auto with_lines = [&](std::uint32_t lines) {
        platform.sm.unified_l1_bytes = 1024 + lines * platform.lsu.l1_line_bytes;
        platform.sm.shared_bytes = 1024;
        return cycles(platform, script);
    };
    const std::uint64_t all = std::uint64_t{loads} * warp_size;
    const std::uint64_t unbounded = with_lines(256);
    platform.lsu.data_buffer_accesses = 21;
    CHECK(with_lines(2048) == Approx(unbounded).epsilon(0.02));
    CHECK(with_lines(256) > all / 256 * 1000);
    CHECK(with_lines(256) > with_lines(512) + 1000);
}

TEST_CASE("an access to shared memory waits behind loads of many lines that L1 lacks, but for those with room ahead") {
    Platform platform = bare_platform();
    platform.lsu.data_buffer_accesses = 4;
    const auto cycles_of = [&](std::uint32_t loads) {
        Script script;
        for (std::uint32_t load = 0; load < loads; ++load)
            script.add(ldg, {.stall = 1, .write_barrier = 0}, 1, lanes_at(8192 * (1 + load), 128));
        script.add(lds, {.stall = 1, .write_barrier = 1}, 1, lanes_at(0, 4));
        script.add(fp32_add, {.stall = 4, .wait_mask = 2}, 1);
        return cycles(platform, script.add(fp32_add, {.stall = 4}, 1000).exit());
    };
    const auto behind = [&](std::uint32_t loads) { return cycles_of(loads) - cycles_of(0); };
    const std::uint64_t lines = warp_size;
    CHECK(behind(2) < lines);
    const std::uint64_t more = behind(10) - behind(9);
    CHECK(more == lines);
    const std::uint64_t without_room = behind(10);
    CHECK(without_room > 4 * lines);
    platform.lsu.miss_buffer_lines = 64;
    CHECK(behind(10) == without_room - 64);
}
