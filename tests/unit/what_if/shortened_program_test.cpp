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

TEST_CASE("What a value that is put away waited for, who fetched or reads it waits for") {
    using enum isa::Opcode;
    // Words of 4 bytes, of R5 and at R1 and an offset.
    const auto local = [](isa::Opcode opcode, std::uint64_t offset, std::uint8_t waits = 0) {
        const isa::Word128 word{(opcode == STL ? 0x0000000501007387U : 0x0000000001097983U) | offset << 40U,
                                0x00100800};
        auto decoded = isa::decode(word);
        if (!decoded) FAIL(decoded.error().message());
        decoded->control = with(opcode, 1, waits).control;
        return *decoded;
    };
    const auto waits_of = [](std::vector<isa::Instruction> instructions) {
        isa::Program program;
        program.instructions = std::move(instructions);
        std::vector<int> waits;
        for (const isa::Instruction& left : shorten(program, without_local, four_cycles).program.instructions)
            waits.push_back(left.control.wait_mask);
        return waits;
    };
    const auto decoded = [](isa::Word128 word) {
        auto instruction = isa::decode(word);
        if (!instruction) FAIL(instruction.error().message());
        instruction->control = with(NOP, 1).control;
        return *instruction;
    };
    const isa::Instruction other = decoded({0xcb4000000a0f7421, 0});       // FADD R15, R10, ...
    const isa::Instruction reads = decoded({0xcb400000050f7421, 0});       // FADD R15, R5, ...
    const isa::Instruction overwrites = decoded({0xcb4000000a057421, 0});  // FADD R5, R10, ...
    isa::Instruction takes_2 = other;
    takes_2.control.write_barrier = 2;
    // Who fetches it, or another part of what is put away; not who fetches something else.
    CHECK(waits_of({local(STL, 8, 0b10), other, local(LDL, 8, 0b1), other, with(EXIT, 1)}) == std::vector{0, 0b11, 0});
    CHECK(waits_of({local(STL, 8, 0b10), other, local(LDL, 12), other, with(EXIT, 1)}) == std::vector{0, 0, 0b10});
    // Who reads it from its register; not behind another value of that.
    CHECK(waits_of({local(STL, 8, 0b10), other, reads, with(EXIT, 1)}) == std::vector{0, 0b10, 0});
    CHECK(waits_of({local(STL, 8, 0b10), overwrites, reads, with(EXIT, 1)}) == std::vector{0, 0, 0b10});
    // Where code goes on elsewhere, at the latest; and what another instruction has taken nobody waits for.
    CHECK(waits_of({local(STL, 8, 0b10), other, with(EXIT, 1)}) == std::vector{0, 0b10});
    CHECK(waits_of({local(STL, 8, 0b1100), takes_2, with(EXIT, 1)}) == std::vector{0, 0b1000});
}
