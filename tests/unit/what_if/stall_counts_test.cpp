// Stall counts set anew, on instructions that nvcc wrote, against arithmetic.
#include <catch2/catch.hpp>

#include "sim/what_if/stall_counts.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

using isa::Word128;

constexpr Word128 first_sum{0x00000006100f7c10, 0x000fc8000fffe0ff};      // IADD3 R15, R16, UR6, RZ
constexpr Word128 next_sum{0x000000060f0d7c10, 0x000fc8000fffe0ff};       // IADD3 R13, R15, UR6, RZ
constexpr Word128 other_sum{0x00000006120c7c10, 0x000fc8000fffe0ff};      // IADD3 R12, R18, UR6, RZ
constexpr Word128 global_load{0x0000000412087981, 0x000168000c1e1900};    // LDG.E R8, desc[UR4][R18.64]
constexpr Word128 spill{0x0000181d01007387, 0x000fe60000100800};          // STL [R1+0x18], R29
constexpr Word128 fill{0x00003c00010e7983, 0x002ea80000300800};           // LDL.LU R14, [R1+0x3c]
constexpr Word128 of_filled{0x000000060e0d7c10, 0x000fc8000fffe0ff};      // IADD3 R13, R14, UR6, RZ
constexpr Word128 compare{0x000000060c007c0c, 0x000fc6000bf06070};        // ISETP.GE.U32.AND P0, PT, R12, UR6, PT
constexpr Word128 branch{0x0000000800d48947, 0x001fea0003800000};         // @!P0 BRA
constexpr Word128 double_first{0x3ff800000c0c742b, 0x001fc40000000002};   // DFMA R12, R12, R2, 1.5
constexpr Word128 to_float{0x0000000c000c7310, 0x000e300000301000};       // F2F.F32.F64 R12, R12
constexpr Word128 to_double{0x0000000c00107310, 0x001e300000201800};      // F2F.F64.F32 R16, R12
constexpr Word128 double_second{0x3ff800001010742b, 0x001fc40000000002};  // DFMA R16, R16, R2, 1.5

struct Placed {
    Word128 word;
    std::uint8_t stall;
};

/// Of one basic block, in which a result takes `latency` cycles; accesses to local memory and conversions go.
std::vector<int> counts_of(const std::vector<Placed>& placed, std::uint16_t latency = 4) {
    isa::Program program;
    std::vector<bool> is_gone;
    for (const Placed& one : placed) {
        const auto decoded = isa::decode(one.word);
        REQUIRE(decoded);
        program.instructions.push_back(*decoded);
        program.instructions.back().control.stall = one.stall;
        const isa::Opcode opcode = decoded->opcode;
        is_gone.push_back(opcode == isa::Opcode::STL || opcode == isa::Opcode::LDL || opcode == isa::Opcode::F2F);
    }
    program.blocks.emplace_back();
    program.blocks.back().count = static_cast<std::uint32_t>(placed.size());
    const std::vector<std::uint16_t> latencies(placed.size(), latency);
    const auto counts = stall_counts(program, is_gone, latencies);
    return {counts.begin(), counts.end()};
}

}  // namespace

TEST_CASE("Stall counts stay where nothing is gone") {
    CHECK(counts_of({{first_sum, 9}, {other_sum, 2}, {next_sum, 5}}) == std::vector{9, 2, 5});
}

TEST_CASE("A reader waits for its producer, as long as that takes and no longer than it did") {
    CHECK(counts_of({{first_sum, 4}, {spill, 4}, {next_sum, 1}})[0] == 4);                  // 8 apart before
    CHECK(counts_of({{first_sum, 1}, {spill, 1}, {next_sum, 1}})[0] == 2);                  // 2 apart
    CHECK(counts_of({{first_sum, 4}, {spill, 4}, {other_sum, 4}, {next_sum, 1}})[0] == 1);  // another one between
    CHECK(counts_of({{first_sum, 4}, {spill, 4}, {other_sum, 4}, {next_sum, 1}})[2] == 3);  // 1 and 3 cycles
    CHECK(counts_of({{first_sum, 4}, {spill, 4}, {next_sum, 1}}, 9)[0] == 8);               // never longer
    CHECK(counts_of({{other_sum, 13}, {compare, 13}, {fill, 4}, {branch, 5}})[1] == 15);    // a predicate: as it was
    CHECK(counts_of({{other_sum, 13}, {compare, 6}, {fill, 4}, {branch, 5}})[1] == 10);     // and no longer
    CHECK(counts_of({{other_sum, 13}, {compare, 6}, {fill, 4}, {branch, 5}})[3] == 5);      // the branch's own
    CHECK(counts_of({{first_sum, 4}, {fill, 4}, {of_filled, 1}}) == std::vector{1, 0, 3});  // what was loaded is there
    CHECK(counts_of({{global_load, 4}, {spill, 4}, {other_sum, 1}}) == std::vector{4, 0, 1});  // a unit's own pace
}

TEST_CASE("What runs on behind a block finds results no sooner than it may") {
    CHECK(counts_of({{first_sum, 1}, {spill, 9}}) == std::vector{4, 0});
    CHECK(counts_of({{first_sum, 1}, {spill, 1}}) == std::vector{2, 0});
}

TEST_CASE("What is converted by what is gone is there when its source is") {
    const std::vector<Placed> chain{{double_first, 8}, {to_float, 8}, {to_double, 8}, {double_second, 8}};
    CHECK(counts_of(chain) == std::vector{4, 0, 0, 4});
    CHECK(counts_of(chain, 7) == std::vector{7, 0, 0, 7});
}
