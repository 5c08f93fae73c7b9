// LDC by a register.
#pragma once

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"

namespace sassafras::isa {

/// The instruction loads from a constant bank at an address that each lane has for itself. (With .IL, .IS or .ISL, or
/// from a bank that a register names, it does not execute.)
[[nodiscard]] constexpr bool is_indexed_constant_load(const Instruction& instruction) {
    return instruction.opcode == Opcode::LDC && instruction.a.kind == OperandKind::reg &&
           instruction.a.reg != register_zero && instruction.b.kind == OperandKind::constant &&
           instruction.word.get(fields::ldc_mode) == 0 &&
           static_cast<fields::AccessSize>(instruction.word.get(fields::access_size)) <= fields::AccessSize::b64;
}

}  // namespace sassafras::isa
