// What taking instructions out of a kernel leaves.
#include <catch2/catch.hpp>

#include "sim/what_if/shortened_program.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

isa::Instruction with(isa::Opcode opcode, std::uint8_t stall, std::uint8_t waits = 0) {
    isa::Instruction instruction;
    instruction.opcode = opcode;
    instruction.control.stall = stall;
    instruction.control.wait_mask = waits;
    return instruction;
}

bool is_local(const isa::Instruction& instruction) {
    return instruction.opcode == isa::Opcode::LDL || instruction.opcode == isa::Opcode::STL;
}

const WhatIf without_local{.name = "", .removes = "", .drops = is_local};

std::vector<std::uint16_t> four_cycles(const isa::Program& program) {
    return std::vector<std::uint16_t>(program.instructions.size(), 4);
}

}  // namespace

TEST_CASE("What is left keeps its order, and segments shrink to it") {
    using enum isa::Opcode;
    isa::Program program;
    program.instructions = {with(LDL, 1),  with(FADD, 2), with(STL, 1), with(LDL, 1),
                            with(FMUL, 4), with(EXIT, 5), with(LDL, 1)};
    const ShortenedProgram left = shorten(program, without_local, four_cycles);
    REQUIRE(left.program.instructions.size() == 3);
    REQUIRE(left.program.instructions[0].opcode == FADD);
    REQUIRE(left.program.instructions[1].opcode == FMUL);
    REQUIRE(left.program.instructions[2].opcode == EXIT);
    const auto segment = [&](std::uint32_t first, std::uint32_t count) {
        const Segment shorter = left.without({first, count, 7});
        REQUIRE(shorter.mask == 7);
        return std::pair(shorter.first, shorter.count);
    };
    REQUIRE(segment(0, 7) == std::pair(0U, 3U));
    REQUIRE(segment(1, 3) == std::pair(0U, 1U));
    REQUIRE(segment(2, 2).second == 0);
    REQUIRE(segment(3, 2) == std::pair(1U, 1U));
    REQUIRE(segment(4, 2) == std::pair(1U, 2U));
}

TEST_CASE("What one that is gone waited for, the next one waits for") {
    using enum isa::Opcode;
    isa::Program program;
    program.instructions = {with(FADD, 1, 0b1), with(LDL, 1, 0b10), with(LDL, 1, 0b100), with(FMUL, 1, 0b1000),
                            with(EXIT, 1)};
    const ShortenedProgram left = shorten(program, without_local, four_cycles);
    REQUIRE(left.program.instructions[0].control.wait_mask == 0b1);
    REQUIRE(left.program.instructions[1].control.wait_mask == 0b1110);
    REQUIRE(left.program.instructions[2].control.wait_mask == 0);
}

TEST_CASE("What a value that is put away waited for, who fetched it waits for") {
    using enum isa::Opcode;
    const auto at = [](isa::Instruction access, std::uint64_t offset) {
        access.word.low |= offset << 40U;
        return access;
    };
    isa::Instruction load = with(LDG, 1);
    load.control.write_barrier = 3;
    isa::Program program;
    program.instructions = {at(with(STL, 1, 0b10), 8),
                            at(with(STL, 1, 0b1100), 16),
                            with(FADD, 1),
                            load,
                            at(with(LDL, 1), 16),
                            with(FMUL, 1),
                            at(with(LDL, 1, 0b1), 8),
                            with(EXIT, 1)};
    const ShortenedProgram left = shorten(program, without_local, four_cycles);
    REQUIRE(left.program.instructions.size() == 4);
    REQUIRE(left.program.instructions[0].control.wait_mask == 0);
    REQUIRE(left.program.instructions[2].control.wait_mask == 0b100);  // the load has scoreboard 3 now
    REQUIRE(left.program.instructions[3].control.wait_mask == 0b11);
}
