// Which instructions read what other blocks write while they run.
#pragma once

#include "isa/sass/instruction.hpp"
#include "isa/sass/memory_order.hpp"
#include "isa/sass/sleep.hpp"

namespace sassafras::isa {

/// An atomic's result, a load that is strong in some scope (PTX's relaxed, acquire and volatile), anything after a
/// sleep: a program of which some instruction does may mean to learn what other blocks have done by then.
[[nodiscard]] constexpr bool reads_what_others_write(const Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::ATOM:
        case Opcode::ATOMG: return instruction.destination != register_zero;
        case Opcode::LD:
        case Opcode::LDG: return memory_order_of(instruction) >= static_cast<unsigned>(MemoryOrder::strong_sm);
        case Opcode::NANOSLEEP: return is_sleep(instruction);
        default: return false;
    }
}

}  // namespace sassafras::isa
