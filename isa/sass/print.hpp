// Instructions as nvdisasm prints them.
#pragma once

#include <cstdint>
#include <string>

#include "isa/sass/instruction.hpp"

namespace sassafras::isa {

/// nvdisasm's syntax: "@!P0 IMAD.WIDE R2, R3, 0x4, R4". `pc` resolves relative targets to absolute addresses.
[[nodiscard]] std::string print(const Instruction& instruction, std::uint64_t pc);

}  // namespace sassafras::isa
