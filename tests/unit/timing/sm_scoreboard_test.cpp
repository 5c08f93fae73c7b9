// Dependences that hardware tracks by register: what waits, for how long, and what does not.
#include "scenario.hpp"
#include "sim/timing/sm/register_scoreboard.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

Platform tracking_platform() {
    Platform platform = bare_platform();
    platform.sm.dependence_tracking = DependenceTracking::scoreboard;
    platform.sm.register_bank_ports = 3;  // so that register reads hold up nothing
    return platform;
}

/// FADD Rto, Rfrom, -12582912
isa::Word128 fadd_of(std::uint64_t to, std::uint64_t from) {
    return {0xcb40000000007421U | to << 16U | from << 24U, 0};
}
/// MUFU.RCP Rto, Rfrom
isa::Word128 mufu_of(std::uint64_t to, std::uint64_t from) {
    return {0x0000000000007308U | to << 16U | from << 32U, 0x00001000};
}
/// LDS Rto, [Raddress]
isa::Word128 lds_of(std::uint64_t to, std::uint64_t address) {
    return {0x0000000000007984U | to << 16U | address << 24U, 0x00000800};
}
/// The same instruction with guard @Pn
isa::Word128 guarded(isa::Word128 word, std::uint64_t predicate) {
    word.low = (word.low & ~std::uint64_t{0xf000}) | predicate << 12U;
    return word;
}

// What the code says must not matter: no stall, no scoreboard, nothing to wait for.
constexpr isa::ControlCode none{.stall = 1};

}  // namespace

TEST_CASE("hardware scoreboard: a chain takes its pipe's latency a link, whatever the control codes say") {
    Platform platform = tracking_platform();
    for (const std::uint32_t latency : {1U, 4U, 9U, 100U}) {
        platform.pipes.fma.latency_cycles = latency;
        for (const std::uint8_t stall : {std::uint8_t{1}, std::uint8_t{15}}) {
            CAPTURE(latency, static_cast<int>(stall));
            // The exit does not wait for the last result.
            CHECK(extra_cycles(platform, Script().add(fadd_of(5, 5), {.stall = stall}, 20).exit()) == 19 * latency + 1);
        }
    }
}

TEST_CASE("hardware scoreboard: independent instructions issue every cycle") {
    Platform platform = tracking_platform();
    platform.pipes.fma.latency_cycles = 30;
    Script script;
    for (std::uint64_t i = 0; i < 25; ++i) script.add(fadd_of(10 + i, 5), {.stall = 12});
    CHECK(extra_cycles(platform, script.exit()) == 25);
    // Four chains in turn: each link waits for its own chain.
    Script turns;
    for (std::uint64_t i = 0; i < 40; ++i) turns.add(fadd_of(10 + i % 4, 10 + i % 4), none);
    CHECK(extra_cycles(platform, turns.exit()) == 9 * 30 + 4);
}

TEST_CASE("hardware scoreboard: a write waits for an earlier write of its register, not for reads") {
    Platform platform = tracking_platform();
    platform.pipes.fma.latency_cycles = 7;
    platform.pipes.xu = {.issue_interval_cycles = 1, .latency_cycles = 50};
    const auto extra = [&](isa::Word128 first, isa::Word128 second) {
        return extra_cycles(platform, Script().add(first, none).add(second, none).exit());
    };
    CHECK(extra(fadd_of(9, 5), fadd_of(9, 6)) == 7 + 1);
    CHECK(extra(mufu_of(9, 5), fadd_of(9, 6)) == 50 + 1);
    CHECK(extra(mufu_of(9, 5), fadd_of(8, 9)) == 50 + 1);
    CHECK(extra(mufu_of(9, 5), fadd_of(5, 6)) == 2);  // write after read
    CHECK(extra(mufu_of(9, 5), fadd_of(8, 5)) == 2);  // read after read
}

TEST_CASE("hardware scoreboard: a guard waits for its predicate, and only for that one") {
    Platform platform = tracking_platform();
    platform.pipes.alu = {.issue_interval_cycles = 1, .latency_cycles = 21};
    const auto after_iadd3 = [&](isa::Word128 second) {  // which writes R16 and P3
        return extra_cycles(platform, Script().add(iadd3, none).add(second, none).exit());
    };
    CHECK(after_iadd3(guarded(fadd_of(4, 5), 3)) == 21 + 1);
    CHECK(after_iadd3(guarded(fadd_of(4, 5), 2)) == 2);
    CHECK(after_iadd3(fadd_of(4, 16)) == 21 + 1);
    CHECK(after_iadd3(iadd3) == 21 + 1);
}

TEST_CASE("hardware scoreboard: who uses a loaded register waits until it is written back") {
    Platform platform = tracking_platform();
    platform.lsu.shared_load_latency_cycles = 33;
    const auto shared = [&](isa::Word128 second) {
        return extra_cycles(platform, Script().add(lds_of(5, 0), none, 1, lanes_at(0, 4)).add(second, none).exit());
    };
    CHECK(shared(fadd_of(9, 5)) == 33 + 1);
    CHECK(shared(fadd_of(5, 9)) == 33 + 1);
    CHECK(shared(fadd_of(9, 8)) == 2);
    // LDG R9 of a cold line: as long as the compiler's scoreboard would hold the consumer.
    const auto global = [&](const Platform& gpu, std::uint64_t from) {
        return extra_cycles(gpu, Script()
                                     .add(ldg, {.stall = 1, .write_barrier = 0}, 1, lanes_at(4096, 4))
                                     .add(fadd_of(11, from), {.stall = 1, .wait_mask = 1})
                                     .exit());
    };
    Platform coded = platform;
    coded.sm.dependence_tracking = DependenceTracking::control_codes;
    CHECK(global(platform, 9) == global(coded, 9));
    CHECK(global(platform, 9) > 300);
    CHECK(global(platform, 10) == 2);
}

TEST_CASE("hardware scoreboard: a cycle's reason is the slowest register's") {
    Platform platform = tracking_platform();
    platform.pipes.xu = {.issue_interval_cycles = 1, .latency_cycles = 50};
    platform.pipes.fma.latency_cycles = 7;
    const auto stalled = [&](const Script& script, Stall reason) {
        const TimingResult result = simulate(platform, script);
        std::uint64_t sum = 0;
        std::uint64_t all = 0;
        for (const auto& row : result.stalls)
            for (std::size_t i = 0; i < stall_count; ++i) {
                all += row[i];
                if (i == static_cast<std::size_t>(reason)) sum += row[i];
            }
        CHECK(all == result.events["sm__warps_active.sum"_metric]);
        return sum;
    };
    CHECK(stalled(Script().add(fadd_of(5, 5), none, 11).exit(), Stall::wait) == 10 * 6);
    CHECK(stalled(Script().add(mufu_of(5, 4), none).add(fadd_of(6, 5), none).exit(), Stall::short_scoreboard) == 49);
    CHECK(stalled(Script().add(ldg, none, 1, lanes_at(4096, 4)).add(fadd_of(6, 9), none).exit(),
                  Stall::long_scoreboard) > 100);
}

TEST_CASE("a register scoreboard: known and unknown times, by warp") {
    Script script;
    script.add(fadd_of(5, 4), none).add(fadd_of(6, 5), none).add(fadd_of(7, 4), none);
    const RegisterDependences dependences(script.program);
    RegisterScoreboard board(dependences, 2);
    CHECK(board.wait(0, 1).until == 0);
    board.written_at(0, 0, 40, Stall::short_scoreboard);
    CHECK(board.wait(0, 1).until == 40);
    CHECK(board.wait(0, 1).reason == Stall::short_scoreboard);
    CHECK(board.wait(0, 0).until == 40);
    CHECK(board.wait(0, 2).until == 0);
    CHECK(board.wait(1, 1).until == 0);
    // Two parts of one result: it is there when both are, and not before a time that is known.
    board.hold(0, 0);
    board.hold(0, 0);
    CHECK(board.wait(0, 1).until == RegisterScoreboard::never);
    board.release(0, 0, 20);
    CHECK(board.wait(0, 1).until == RegisterScoreboard::never);
    board.release(0, 0, 30);
    CHECK(board.wait(0, 1).until == 40);
    board.clear(0);
    CHECK(board.wait(0, 1).until == 0);
}
