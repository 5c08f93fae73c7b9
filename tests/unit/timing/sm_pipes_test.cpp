// Pipes whose results hardware watches itself, or that take operands at their own pace.
#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

// As nvcc writes them in workloads/micro/micro.cubin and in a chain of conversions; control codes are replaced.
constexpr isa::Word128 imad_hi{0x0000000409077227, 0x078e0006};         ///< IMAD.HI.U32 R7, R9, R4, R6: adds R7:R6
constexpr isa::Word128 imad_hi_factor{0x0000000407097227, 0x078e00ff};  ///< IMAD.HI.U32 R9, R7, R4, RZ
constexpr isa::Word128 imad_hi_apart{0x0000000402037227, 0x078e00ff};   ///< IMAD.HI.U32 R3, R2, R4, RZ
constexpr isa::Word128 f2f_down{0x0000001400147310, 0x00301000};        ///< F2F.F32.F64 R20, R20: reads R21:R20
constexpr isa::Word128 f2f_up{0x0000001400147310, 0x00201800};          ///< F2F.F64.F32 R20, R20

Platform with_late_products() {
    Platform platform = bare_platform();
    platform.pipes.imad_wide = {.issue_interval_cycles = 4, .latency_cycles = 9};
    platform.pipes.imad_wide_addend_latency_cycles = 6;
    return platform;
}

}  // namespace

TEST_CASE("what reads a wide product waits for it, whatever its stall count says") {
    const Platform platform = with_late_products();
    const Script factor = Script().add(imad_hi, {.stall = 4}).add(imad_hi_factor, {.stall = 1}).exit();
    CHECK(extra_cycles(platform, factor) == 9 + 1);
    const Script addend = Script().add(imad_hi, {.stall = 4}, 3).exit();
    CHECK(extra_cycles(platform, addend) == 6 + 6 + 4);
    const Script apart = Script().add(imad_hi, {.stall = 4}).add(imad_hi_apart, {.stall = 1}).exit();
    CHECK(extra_cycles(platform, apart) == 4 + 1);
    // The one before the last.
    const Script two =
        Script().add(imad_hi, {.stall = 1}).add(imad_hi_apart, {.stall = 1}).add(imad_hi_factor, {.stall = 1}).exit();
    CHECK(extra_cycles(platform, two) == 9 + 1);
    // Stall counts that ask for more are kept.
    const Script slow = Script().add(imad_hi, {.stall = 12}).add(imad_hi_factor, {.stall = 1}).exit();
    CHECK(extra_cycles(platform, slow) == 12 + 1);
}

TEST_CASE("conversions of pairs of registers take the unit for their own time") {
    Platform platform = bare_platform();
    platform.pipes.xu = {.issue_interval_cycles = 8, .latency_cycles = 17};
    platform.pipes.xu_wide = {.issue_interval_cycles = 9, .latency_cycles = 19};
    CHECK(extra_cycles(platform, Script().add(f2f_down, {.stall = 1, .write_barrier = 0}, 3).exit(1)) == 2 * 9 + 19);
    CHECK(extra_cycles(platform, Script().add(f2f_up, {.stall = 1, .write_barrier = 0}, 3).exit(1)) == 2 * 8 + 17);
}

TEST_CASE("a register that several operands name is read once") {
    Platform platform = bare_platform();
    platform.sm.register_banks = 2;
    platform.sm.register_bank_ports = 1;
    platform.sm.read_window_cycles = 1;
    const auto cycles_of = [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
        return extra_cycles(platform, Script().add(ffma_of(a, b, c), {.stall = 1}, 40).exit());
    };
    const std::uint64_t apart = cycles_of(2, 4, 6);
    CHECK(apart > 100);  // three reads of one bank
    CHECK(cycles_of(2, 2, 2) < 50);
    CHECK(cycles_of(2, 2, 3) < 50);
    CHECK(cycles_of(2, 4, 2) == cycles_of(2, 4, 3));
}
