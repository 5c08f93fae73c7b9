// What counts of instructions make of Nsight Compute's counters.
#include "sim/device/kernel_metrics.hpp"

#include <catch2/catch.hpp>

#include "isa/sass/instruction.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr isa::Word128 s2r{0x0000000000037919, 0};
constexpr isa::Word128 s2ur{0x00000000000679c3, 0};
constexpr std::uint64_t tid_x = 33;
constexpr std::uint64_t tid_y = 34;
constexpr std::uint64_t ctaid_x = 37;
constexpr std::uint64_t lane_id = 0;
constexpr std::uint64_t lane_mask_ge = 60;

/// Of a program of one instruction that a warp executes seven times.
std::uint64_t wavefronts(isa::Word128 word, std::uint64_t special_register) {
    word.high |= special_register << 8U;
    isa::Program program;
    auto instruction = isa::decode(word);
    REQUIRE(instruction.ok());
    program.instructions.push_back(*instruction);
    InstructionCounts counts;
    counts.inst_executed = 7;
    MetricCounts events;
    count_instructions(events, program, {counts}, 4);
    CHECK(events["smsp__inst_executed.sum"_metric] == 7);
    return events["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"_metric];
}

}  // namespace

TEST_CASE("to read what a lane has of its own takes a wavefront, what a block has in common none") {
    for (const std::uint64_t number : {tid_x, tid_y, lane_id, lane_mask_ge}) {
        CAPTURE(number);
        CHECK(wavefronts(s2r, number) == 7);
    }
    CHECK(wavefronts(s2r, ctaid_x) == 0);
    CHECK(wavefronts(s2ur, ctaid_x) == 0);
}
