#include "isa/program/contended.hpp"

#include <algorithm>
#include <bitset>

#include "isa/sass/fields.hpp"
#include "isa/sass/memory_order.hpp"

namespace sassafras::isa {

namespace {

using Registers = std::bitset<256>;

bool compares_and_swaps(const Instruction& instruction) { return instruction.form == Form::compare_and_swap; }

bool is_load(Opcode opcode) {
    return opcode == Opcode::LD || opcode == Opcode::LDG || opcode == Opcode::LDS || opcode == Opcode::LDL;
}

bool is_contended_by_itself(const Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::ATOM:
        case Opcode::ATOMG:
        case Opcode::ATOMS:
        case Opcode::RED: return true;
        case Opcode::LD:
        case Opcode::LDG:
        case Opcode::ST:
        case Opcode::STG: return memory_order_of(instruction) >= static_cast<unsigned>(MemoryOrder::strong_sm);
        default: return false;
    }
}

void add(Registers& registers, const RegisterSpan& span) {
    for (unsigned i = 0; i < span.count; ++i) registers.set(span.first + i);
}

bool writes_any(const RegisterUse& use, const Registers& registers) {
    return std::any_of(use.writes.begin(), use.writes.begin() + use.write_count, [&](const RegisterSpan& span) {
        if (span.file != RegisterSpan::File::vector) return false;
        for (unsigned i = 0; i < span.count; ++i)
            if (registers.test(span.first + i)) return true;
        return false;
    });
}

bool tries_to_swap(const Instruction& instruction) {
    return compares_and_swaps(instruction) && instruction.opcode == Opcode::ATOMS &&
           instruction.word.get(fields::atomic_operation) == fields::atomic_cast_spin;
}

/// What is compared lies in the registers of source slot B.
void add_compared(const Instruction& instruction, Registers& registers) {
    constexpr std::uint8_t slot_b = 1;
    const RegisterUse use = register_use(instruction);
    for (std::size_t i = 0; i < use.read_count; ++i)
        if (use.reads[i].file == RegisterSpan::File::vector && use.reads[i].slot == slot_b)
            add(registers, use.reads[i]);
}

/// Adds the registers that a value comes from which an instruction of one source register (MOV and its like) only moves
/// or converts. Wherever it stands: too many make a program slower to simulate, too few change what it does.
void follow_moves(const Program& program, Registers& registers) {
    for (std::size_t before = 0; before != registers.count();) {
        before = registers.count();
        for (const Instruction& instruction : program.instructions) {
            if (is_memory_access(instruction.opcode)) continue;
            const RegisterUse use = register_use(instruction);
            const RegisterSpan* only = nullptr;
            std::size_t read = 0;
            for (std::size_t i = 0; i < use.read_count; ++i) {
                if (use.reads[i].file != RegisterSpan::File::vector) continue;
                only = &use.reads[i];
                ++read;
            }
            if (read == 1 && writes_any(use, registers)) add(registers, *only);
        }
    }
}

}  // namespace

std::vector<bool> contended_instructions(const Program& program) {
    const std::vector<Instruction>& instructions = program.instructions;
    if (std::none_of(instructions.begin(), instructions.end(), compares_and_swaps)) return {};
    Registers compared;
    for (const Instruction& instruction : instructions)
        if (compares_and_swaps(instruction)) add_compared(instruction, compared);
    follow_moves(program, compared);
    std::vector<bool> contended(instructions.size());
    for (std::size_t i = 0; i < instructions.size(); ++i)
        contended[i] = is_contended_by_itself(instructions[i]) ||
                       (is_load(instructions[i].opcode) && writes_any(register_use(instructions[i]), compared));
    return contended;
}

std::vector<bool> loads_of_tried_swaps(const Program& program) {
    const std::vector<Instruction>& instructions = program.instructions;
    if (std::none_of(instructions.begin(), instructions.end(), tries_to_swap)) return {};
    std::vector<bool> loads(instructions.size());
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        if (!tries_to_swap(instructions[i])) continue;
        Registers compared;
        add_compared(instructions[i], compared);
        std::size_t at = i;
        while (at > 0 && !writes_any(register_use(instructions[at - 1]), compared)) --at;
        if (at > 0 && instructions[at - 1].opcode == Opcode::LDS) loads[at - 1] = true;
    }
    return loads;
}

}  // namespace sassafras::isa
