// Where control-flow instructions go. Addresses are byte offsets into the kernel's code (the code is linked at 0),
// modulo 2^64. Source of the fields: docs/isa.md.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"

namespace sassafras::isa {

/// Addresses that stand for functions of the driver, which no kernel's code has: the loader gives them to calls, and
/// execution knows them. They fit into the field of a CALL.
inline constexpr std::uint64_t external_code_begin = std::uint64_t{1} << 55U;
inline constexpr std::uint64_t external_code_end = external_code_begin + 4096;
[[nodiscard]] constexpr bool is_external_code(std::uint64_t address) {
    return address >= external_code_begin && address < external_code_end;
}

[[nodiscard]] constexpr std::uint64_t next_pc(std::uint64_t pc) { return pc + instruction_bytes; }

/// Takes its target from a register pair or a constant bank: BRX, BRXU, JMX, JMXU, RET, and CALL but for its immediate
/// forms.
[[nodiscard]] constexpr bool is_indirect(const Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::BRX:
        case Opcode::BRXU:
        case Opcode::JMX:
        case Opcode::JMXU:
        case Opcode::RET: return true;
        case Opcode::CALL: return instruction.a.kind != OperandKind::none;
        default: return false;
    }
}

/// The displacement counts from the next pc; otherwise from 0.
[[nodiscard]] constexpr bool is_relative(const Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::BRA:
        case Opcode::BRX:
        case Opcode::BRXU: return true;
        case Opcode::CALL: return instruction.form == Form::relative;
        case Opcode::RET: return instruction.word.get(fields::return_absolute) == 0;
        default: return false;
    }
}

/// The displacement with pc applied: the target of a direct branch; what an indirect one adds to its register pair.
[[nodiscard]] constexpr std::uint64_t branch_base(const Instruction& instruction, std::uint64_t pc) {
    const auto displacement =
        static_cast<std::uint64_t>(fields::branch_displacement(instruction.word, instruction.architecture));
    return is_relative(instruction) ? next_pc(pc) + displacement : displacement;
}

/// The target of BRA, JMP and CALL with an immediate; nothing for all others.
[[nodiscard]] constexpr std::optional<std::uint64_t> branch_target(const Instruction& instruction, std::uint64_t pc) {
    const bool is_branch =
        instruction.opcode == Opcode::BRA || instruction.opcode == Opcode::JMP || instruction.opcode == Opcode::CALL;
    if (!is_branch || is_indirect(instruction)) return std::nullopt;
    return branch_base(instruction, pc);
}

/// What LEPC loads: its own target, or without one its own address (nvcc 13.0 for sm_80 adds to it the distance from
/// there to where a call of a driver's function returns).
[[nodiscard]] constexpr std::uint64_t effective_address(const Instruction& instruction, std::uint64_t pc) {
    if (instruction.opcode != Opcode::LEPC || instruction.form != Form::with_target) return pc;
    return next_pc(pc) + static_cast<std::uint64_t>(instruction.word.signed_bits(24, 32));  // bytes
}

/// Where the threads of a BSSY's convergence barrier go on together; nothing for other operations.
[[nodiscard]] constexpr std::optional<std::uint64_t> reconvergence_point(const Instruction& instruction,
                                                                         std::uint64_t pc) {
    if (instruction.opcode != Opcode::BSSY) return std::nullopt;
    return next_pc(pc) + static_cast<std::uint64_t>(fields::reconvergence_displacement(instruction.word));
}

/// WARPSYNC.COLLECTIVE, which sm_90 has, names the end of its region; nothing for other operations.
[[nodiscard]] constexpr std::optional<std::uint64_t> collective_end(const Instruction& instruction, std::uint64_t pc) {
    constexpr Field mode{85, 2};
    constexpr std::uint64_t collective = 2;
    if (instruction.opcode != Opcode::WARPSYNC || instruction.architecture < Architecture::sm_90 ||
        instruction.word.get(mode) != collective)
        return std::nullopt;
    return next_pc(pc) +
           static_cast<std::uint64_t>(fields::branch_displacement(instruction.word, instruction.architecture));
}

/// Convergence barrier B0..B15 of BSSY, BSYNC and BREAK.
[[nodiscard]] constexpr unsigned convergence_barrier(const Instruction& instruction) {
    return static_cast<unsigned>(instruction.word.get(fields::convergence_barrier));
}

/// True if every thread that executes it acts: no guard, no second predicate, no condition on the warp (BRA.DIV,
/// BRA.CONV, BRA UP).
[[nodiscard]] constexpr bool acts_always(const Instruction& instruction) {
    const Word128& word = instruction.word;
    if (!instruction.guard.always()) return false;
    if (word.get(fields::predicate_p) != predicate_true || word.get(fields::predicate_p_negate) != 0) return false;
    if (instruction.opcode != Opcode::BRA && instruction.opcode != Opcode::JMP) return true;
    constexpr std::uint64_t divergent = 2;  // and 3: .CONV
    if (instruction.form == Form::uniform_predicate) {
        constexpr Field uniform_predicate{24, 3};
        constexpr Field uniform_predicate_negate{27, 1};
        if (word.get(uniform_predicate) != predicate_true || word.get(uniform_predicate_negate) != 0) return false;
    }
    return is_indirect(instruction) || word.get(fields::branch_condition) < divergent;
}

/// Lanes may go to different places from it.
[[nodiscard]] constexpr bool is_branch(Opcode opcode) {
    switch (opcode) {
        case Opcode::BRA:
        case Opcode::BRX:
        case Opcode::BRXU:
        case Opcode::JMP:
        case Opcode::JMX:
        case Opcode::JMXU:
        case Opcode::CALL:
        case Opcode::RET: return true;
        default: return false;
    }
}

/// The active mask or the pc may change after it; so a basic block ends here.
[[nodiscard]] constexpr bool ends_block(Opcode opcode) {
    if (is_branch(opcode)) return true;
    switch (opcode) {
        case Opcode::EXIT:
        case Opcode::KILL:
        case Opcode::BSYNC:
        case Opcode::WARPSYNC: return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
