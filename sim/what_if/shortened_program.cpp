#include "sim/what_if/shortened_program.hpp"

#include "sim/what_if/stall_counts.hpp"

namespace sassafras::sim {

ShortenedProgram shorten(const isa::Program& program, const WhatIf& what_if, const LatenciesOf& latencies_of) {
    isa::Program replaced = program;
    std::vector<bool> is_gone;
    is_gone.reserve(program.instructions.size());
    for (isa::Instruction& instruction : replaced.instructions) {
        is_gone.push_back(what_if.drops != nullptr && what_if.drops(instruction));
        if (what_if.replaces != nullptr) what_if.replaces(instruction);
    }
    const std::vector<std::uint8_t> stalls = stall_counts(program, is_gone, latencies_of(replaced));
    ShortenedProgram result;
    result.program.kernel = program.kernel;
    std::vector<isa::Instruction>& left = result.program.instructions;
    std::uint8_t waits = 0;
    for (std::size_t i = 0; i < replaced.instructions.size(); ++i) {
        result.kept_before.push_back(static_cast<std::uint32_t>(left.size()));
        const isa::Instruction& instruction = replaced.instructions[i];
        if (is_gone[i]) {
            waits |= instruction.control.wait_mask;
            continue;
        }
        left.push_back(instruction);
        left.back().control.stall = stalls[i];
        left.back().control.wait_mask |= waits;
        waits = 0;
    }
    result.kept_before.push_back(static_cast<std::uint32_t>(left.size()));
    return result;
}

}  // namespace sassafras::sim
