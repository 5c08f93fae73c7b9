// NANOSLEEP.
#pragma once

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"

namespace sassafras::isa {

/// The instruction makes lanes sleep. NANOSLEEP.SYNCS waits for a barrier in memory, at most so long, and .CLEAR for
/// nothing.
[[nodiscard]] constexpr bool is_sleep(const Instruction& instruction) {
    return instruction.opcode == Opcode::NANOSLEEP && instruction.word.get(fields::nanosleep_syncs) == 0 &&
           instruction.word.get(fields::nanosleep_clear) == 0;
}

}  // namespace sassafras::isa
