// How an SM issues: stall counts, scoreboards, pipes, register banks, hiding of latency.
#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

std::uint64_t stalled(const TimingResult& result, Stall reason) {
    std::uint64_t sum = 0;
    for (const auto& instruction : result.stalls) sum += instruction[static_cast<std::size_t>(reason)];
    return sum;
}

}  // namespace

TEST_CASE("a chain of instructions takes the sum of its stall counts") {
    const Platform platform = bare_platform();
    for (const std::uint8_t stall : {std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{5}, std::uint8_t{15}})
        for (const std::uint32_t length : {1U, 7U, 100U}) {
            CAPTURE(static_cast<int>(stall), length);
            CHECK(extra_cycles(platform, Script().add(fp32_add, {.stall = stall}, length).exit()) ==
                  std::uint64_t{stall} * length);
        }
}

TEST_CASE("independent instructions issue every cycle, or as often as their pipe takes one") {
    Platform platform = bare_platform();
    platform.sm.register_bank_ports = 3;  // the sum reads two registers of one bank
    CHECK(extra_cycles(platform, Script().add(fp32_add, {.stall = 1}, 50).exit()) == 50);
    platform.pipes.alu.issue_interval_cycles = 2;
    CHECK(extra_cycles(platform, Script().add(iadd3, {.stall = 1}, 50).exit()) == 2 * 49 + 1);
    platform.pipes.alu.issue_interval_cycles = 1;
    CHECK(extra_cycles(platform, Script().add(iadd3, {.stall = 1}, 50).exit()) == 50);
}

TEST_CASE("who could issue but is not chosen waits for that, not for a pipe that takes an instruction every cycle") {
    Platform platform = bare_platform();
    platform.sm.subcores = 1;
    platform.sm.max_warps = 16;
    platform.sm.register_bank_ports = 3;
    platform.pipes.fma.issue_interval_cycles = 1;
    const Script script = Script().add(fp32_add, {.stall = 1}, 50).exit();
    const TimingResult every = simulate(platform, script, 4);
    CHECK(stalled(every, Stall::math_pipe_throttle) == 0);
    CHECK(stalled(every, Stall::not_selected) > 3 * 50);
    // A pipe that takes one every second cycle: in the first another warp is chosen, in the second it is taken.
    platform.pipes.fma.issue_interval_cycles = 2;
    const TimingResult second = simulate(platform, script, 4);
    CHECK(stalled(second, Stall::math_pipe_throttle) > 3 * 50);
    CHECK(stalled(second, Stall::not_selected) > 2 * 50);
    CHECK(stalled(second, Stall::not_selected) <= stalled(second, Stall::math_pipe_throttle));
}

TEST_CASE("the consumer of a variable-latency result issues when its scoreboard clears") {
    Platform platform = bare_platform();
    for (const std::uint32_t latency : {17U, 40U, 200U}) {
        platform.pipes.xu.latency_cycles = latency;
        CAPTURE(latency);
        CHECK(extra_cycles(platform, Script().add(mufu, {.stall = 1, .write_barrier = 2}).exit(0b100)) == latency);
        // Without the wait the warp goes on at once.
        CHECK(extra_cycles(platform, Script().add(mufu, {.stall = 1, .write_barrier = 2}).exit()) == 1);
        CHECK(extra_cycles(platform, Script().add(mufu, {.stall = 1, .write_barrier = 2}).exit(0b011)) == 1);
    }
}

TEST_CASE("a scoreboard clears when the last of its results is there") {
    Platform platform = bare_platform();
    platform.pipes.xu = {.issue_interval_cycles = 8, .latency_cycles = 17};
    CHECK(extra_cycles(platform, Script().add(mufu, {.stall = 1, .write_barrier = 0}, 3).exit(1)) == 2 * 8 + 17);
}

TEST_CASE("warps of one sub-core hide each other's latency until the scheduler issues every cycle") {
    Platform platform = bare_platform();
    platform.sm.subcores = 1;
    platform.sm.max_warps = 16;
    constexpr std::uint32_t length = 100;
    const Script script = Script().add(fp32_add, {.stall = 4}, length).exit();
    const auto extra = [&](std::uint32_t warps) { return cycles(platform, script, warps) - empty_cycles(platform, 1); };
    CHECK(extra(1) == 4 * length);
    CHECK(extra(2) <= 4 * length + 4);
    CHECK(extra(4) <= 4 * length + 8);
    // Eight warps want two issues a cycle.
    CHECK(extra(8) >= 8 * length);
    CHECK(extra(8) <= 8 * length + 16);
    // Four sub-cores share eight warps without any loss.
    platform.sm.subcores = 4;
    CHECK(extra(8) <= 4 * length + 4);
}

TEST_CASE("a sub-core issues no oftener than its scheduler, to whatever units and however many warps there are") {
    Platform platform = bare_platform();
    platform.sm.subcores = 1;
    platform.sm.max_warps = 16;
    platform.sm.register_bank_ports = 3;  // the sum reads two registers of one bank
    platform.pipes.alu.issue_interval_cycles = 1;
    constexpr std::uint32_t length = 100;
    const Script script = Script().add(fp32_add, {.stall = 1}, length).add(iadd3, {.stall = 1}, length).exit();
    const auto extra = [&](std::uint32_t warps) {
        return static_cast<double>(cycles(platform, script, warps) - empty_cycles(platform, warps));
    };
    for (const std::uint32_t interval : {1U, 2U, 3U}) {
        platform.sm.issue_interval_cycles = interval;
        CAPTURE(interval);
        CHECK(extra(1) == Approx(2.0 * length * interval).epsilon(0.02));
        CHECK(extra(8) == Approx(8 * 2.0 * length * interval).epsilon(0.02));
    }
}

TEST_CASE("sources of one register bank are read one after the other, reused ones are not read") {
    Platform platform = bare_platform();
    platform.sm.register_banks = 2;
    platform.sm.register_bank_ports = 1;
    constexpr std::uint32_t length = 200;
    const auto per_instruction = [&](isa::Word128 word, std::uint8_t reuse) {
        const Script script = Script().add(word, {.stall = 1, .reuse = reuse}, length).exit();
        return static_cast<double>(extra_cycles(platform, script)) / length;
    };
    CHECK(per_instruction(ffma_of(2, 4, 6), 0) == Approx(3).epsilon(0.02));
    CHECK(per_instruction(ffma_of(2, 4, 5), 0) == Approx(2).epsilon(0.02));
    CHECK(per_instruction(ffma_of(2, 4, 6), 0b111) == Approx(1).epsilon(0.02));
    CHECK(per_instruction(ffma_of(2, 4, 5), 0b001) == Approx(1).epsilon(0.02));
    platform.sm.register_bank_ports = 2;  // three reads take two cycles
    CHECK(per_instruction(ffma_of(2, 4, 6), 0) == Approx(2).epsilon(0.02));
    platform.sm.register_bank_ports = 3;
    CHECK(per_instruction(ffma_of(2, 4, 6), 0) == Approx(1).epsilon(0.02));
}

TEST_CASE("every cycle of a resident warp has one reason") {
    const Platform platform = bare_platform();
    const Script script = Script()
                              .add(fp32_add, {.stall = 4}, 20)
                              .add(mufu, {.stall = 1, .write_barrier = 0}, 5)
                              .add(iadd3, {.stall = 1, .wait_mask = 1}, 9)
                              .add(bar_sync, {.stall = 5}, 1, whole_block_barrier())
                              .exit();
    for (const std::uint32_t warps : {1U, 3U, 16U}) {
        const TimingResult result = simulate(platform, script, warps, 2);
        std::uint64_t sum = 0;
        for (std::size_t reason = 0; reason < stall_count; ++reason) sum += stalled(result, static_cast<Stall>(reason));
        CHECK(sum == result.events["sm__warps_active.sum"_metric]);
        CHECK(stalled(result, Stall::selected) == std::uint64_t{script.size()} * warps * 2);
        CHECK(result.warp_instructions == std::uint64_t{script.size()} * warps * 2);
        CHECK(result.thread_instructions == result.warp_instructions * 32);
    }
}

TEST_CASE("a wait is booked to its cause") {
    const Platform platform = bare_platform();
    const auto chain = simulate(platform, Script().add(fp32_add, {.stall = 4}, 50).exit());
    CHECK(stalled(chain, Stall::wait) == 50 * 3);
    const auto scoreboard = simulate(platform, Script().add(mufu, {.stall = 1, .write_barrier = 0}).exit(1));
    CHECK(stalled(scoreboard, Stall::short_scoreboard) == platform.pipes.xu.latency_cycles - 1);
    const auto load =
        simulate(platform, Script().add(ldg, {.stall = 1, .write_barrier = 0}, 1, lanes_at(4096, 4)).exit(1));
    CHECK(stalled(load, Stall::long_scoreboard) > 100);
    CHECK(stalled(load, Stall::short_scoreboard) == 0);
}

TEST_CASE("where lanes come together the warp waits for some cycles more than the stall count") {
    Platform platform = bare_platform();
    const Script script = Script().add(bsync, {.stall = 5}, 10).exit();
    const std::uint64_t before = extra_cycles(platform, script);
    platform.sm.reconvergence_cycles = 8;
    CHECK(extra_cycles(platform, script) == before + 10 * 8);
    CHECK(stalled(simulate(platform, script), Stall::branch_resolve) == 10 * 8);
}

TEST_CASE("a warp that has exited stays until its stores have been read") {
    Platform platform = bare_platform();
    const Script script = Script().add(stg, {.stall = 1}, 1, lanes_at(1 << 20, 4)).exit();
    for (const std::uint32_t latency : {10U, 50U}) {
        platform.lsu.register_read_latency_cycles = latency;
        const TimingResult result = simulate(platform, script);
        CAPTURE(latency);
        CHECK(stalled(result, Stall::drain) >= latency - 1);
        CHECK(stalled(result, Stall::drain) <= latency + 6);
        std::uint64_t all = 0;
        for (std::size_t reason = 0; reason < stall_count; ++reason) all += stalled(result, static_cast<Stall>(reason));
        CHECK(all == result.events["sm__warps_active.sum"_metric]);
    }
    const std::uint64_t read = stalled(simulate(platform, script), Stall::drain);
    platform.lsu.store_drain_cycles = 9;
    CHECK(stalled(simulate(platform, script), Stall::drain) == read + 9);
    CHECK(stalled(simulate(platform, Script().add(fp32_add, {.stall = 4}).exit()), Stall::drain) == 0);
}

TEST_CASE("a miss of a constant is counted as such but for the cycles in which the instruction comes again") {
    Platform platform = bare_platform();
    platform.fetch.constant_miss_latency_cycles = 100;
    constexpr isa::Word128 uldc{0x00008a0000047ab9, 0x00000800};  ///< ULDC UR4, c[0x0][0x228]
    const Script script = Script().add(fp32_add, {.stall = 4}).add(uldc, {.stall = 4}).exit();
    const TimingResult all = simulate(platform, script);
    platform.fetch.constant_again_cycles = 11;
    const TimingResult some = simulate(platform, script);
    CHECK(some.cycles == all.cycles);
    CHECK(stalled(all, Stall::imc_miss) > 50);
    CHECK(stalled(some, Stall::imc_miss) + 11 == stalled(all, Stall::imc_miss));
    CHECK(stalled(some, Stall::no_instruction) == stalled(all, Stall::no_instruction) + 11);
}
