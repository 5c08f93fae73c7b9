// The text of a source row, for tests that say what they mean by it.
#pragma once

#include <string>

#include "isa/program/program.hpp"
#include "sim/device/device.hpp"

namespace sassafras::source_rows {

inline std::string sass(const sim::SourceRow& row) { return isa::print(row.instruction, row.pc); }

/// A row of an operation whose modifiers and operands do not matter.
inline sim::SourceRow row_of(isa::Opcode opcode) {
    sim::SourceRow row;
    row.instruction.opcode = opcode;
    return row;
}

/// LDS R28, [R20]
inline isa::Instruction shared_load() { return *isa::decode({0x00000000141c7984, 0x000fe80000000800}); }

}  // namespace sassafras::source_rows
