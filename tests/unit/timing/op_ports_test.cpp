// Which ports an instruction takes, from its words.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/timing/timing_op.hpp"
#include "tests/unit/timing/scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

/// As an H200's.
TimingOp op_of(isa::Word128 word) {
    Platform platform = bare_platform();
    platform.sm.queued_read_interval_cycles = 2;
    platform.pipes.fma_halves = 2;
    platform.pipes.fp64_late_cycles = 2;
    return timing_ops(Script().add(word, {.stall = 1}).program, platform).front();
}

std::vector<int> queued(const TimingOp& op) {
    return {op.queued_reads.begin(), op.queued_reads.begin() + op.queued_read_count};
}

}  // namespace

TEST_CASE("an address of 64 bits is two registers, one of shared memory one") {
    CHECK(op_of(ldg).address_registers == 2);
    CHECK(op_of(ldg).data_registers == 0);
    CHECK(op_of(stg).address_registers == 2);
    CHECK(op_of(stg).data_registers == 1);
    CHECK(op_of(lds).address_registers == 1);
    constexpr isa::Word128 by_uniform{0x00000000ff057984, 0x08000804};  ///< LDS R5, [UR4]
    CHECK(op_of(by_uniform).address_registers == 0);
}

TEST_CASE("stores read data and then their address from a queue, XU its source; loads and arithmetic at issue") {
    CHECK(queued(op_of(stg)) == std::vector<int>{1, 0, 1});  // R17, then R2 and R3
    CHECK(queued(op_of(mufu)) == std::vector<int>{0});       // R18
    CHECK(op_of(mufu).read_cycles == std::array<std::uint8_t, max_register_banks>{});
    CHECK(queued(op_of(ldg)).empty());
    CHECK(queued(op_of(fp32_add)).empty());
    CHECK(op_of(fp32_add).read_cycles[0] == 1);  // R4
}

TEST_CASE("results are of the banks of their registers, and of FP64's pipe come late") {
    CHECK(op_of(fp32_add).write_banks == 0b10);  // R15
    CHECK(op_of(fp32_add).writes_on_time());
    CHECK(op_of(mufu).write_banks == 0b01);  // R18
    CHECK_FALSE(op_of(mufu).writes_on_time());
    constexpr isa::Word128 dfma{0x000000120e0c722b, 0x0000000000000010};  ///< DFMA R12, R14, R18, R16
    CHECK(op_of(dfma).write_banks == 0b11);
    CHECK(op_of(dfma).result_late == 2);
    CHECK_FALSE(op_of(dfma).writes_on_time());
    CHECK(op_of(stg).write_banks == 0);
}

TEST_CASE("each half of the pipe for multiplications takes what it can") {
    CHECK(op_of(fp32_add).half == FmaHalf::either);
    CHECK(op_of(ffma_of(1, 2, 3)).half == FmaHalf::either);
    constexpr isa::Word128 imad{0x0000001312137224, 0x078e0212};  ///< IMAD R19, R18, R19, R18
    CHECK(op_of(imad).half == FmaHalf::first);
    constexpr isa::Word128 viadd{0x9e3779b905047836, 0};  ///< VIADD R4, R5, 0x9e3779b9
    CHECK(op_of(viadd).half == FmaHalf::first);
    constexpr isa::Word128 hfma2{0x0000000d00127231, 0x000000000000000d};  ///< HFMA2 R18, R0, R13, R13
    CHECK(op_of(hfma2).half == FmaHalf::both);
    constexpr isa::Word128 hfma2_mma{0x0000000d00127235, 0x000000000000000d};  ///< HFMA2.MMA R18, R0, R13, R13
    CHECK(op_of(hfma2_mma).half == FmaHalf::none);
    CHECK(op_of(hfma2_mma).result_late == 2);
    CHECK(op_of(iadd3).half == FmaHalf::none);
}

// validate/records/h200/probes/tensor.txt: chains of d884 take 26 cycles an operation, of d1684 34, of d1688 50.
TEST_CASE("tensor operations on doubles end by their shape") {
    constexpr isa::Word128 of_8_rows{0x000000060408723f, 0x0000000000000014};   ///< DMMA.8x8x4 R8, R4, R6, R20
    constexpr isa::Word128 of_16_rows{0x000000180408723f, 0x0000000000001008};  ///< DMMA.16x8x4 R8, R4, R24, R8
    CHECK(op_of(of_16_rows).latency == 32);
    CHECK(op_of(of_16_rows).interval == 16);
    CHECK(op_of(of_8_rows).latency == 24);
    CHECK(op_of(of_8_rows).interval == 16);
}

// validate/records/h200/probes/pipe_words.csv, rows `result`.
TEST_CASE("S2UR takes longer than S2R") {
    constexpr isa::Word128 s2r{0x0000000000037919, 0x00002100};   ///< S2R R3, SR_TID.X
    constexpr isa::Word128 s2ur{0x00000000000479c3, 0x00002500};  ///< S2UR UR4, SR_CTAID.X
    Platform platform = bare_platform();
    platform.pipes.s2ur_cycles = 12;
    const auto latency = [&platform](isa::Word128 word) {
        return timing_ops(Script().add(word, {.stall = 1, .write_barrier = 0}).program, platform).front().latency;
    };
    CHECK(latency(s2ur) == latency(s2r) + 12);
}
