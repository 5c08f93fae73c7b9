// How wide the base register of a global or generic address is.
#pragma once

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"

namespace sassafras::isa {

/// LDG, STG, LD, ST, ATOMG, ATOM, RED: the base is a register pair. Beside a uniform register it may be 32 bits of a
/// 64-bit address.
[[nodiscard]] constexpr bool base_is_pair(const Instruction& instruction) {
    if (instruction.word.get(fields::address_64) == 0) return false;
    const bool is_atomic = instruction.opcode == Opcode::ATOMG || instruction.opcode == Opcode::ATOM;
    return !names_uniform_register(instruction) ||
           instruction.word.get(is_atomic ? fields::atomic_base_64 : fields::address_base_64) != 0;
}

}  // namespace sassafras::isa
