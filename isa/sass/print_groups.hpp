// The printer's groups. Each appends modifiers and operands and says whether the operation is one of its own.
#pragma once

#include "isa/sass/print_line.hpp"

namespace sassafras::isa {

inline constexpr auto signed_integer = ImmediateType::signed_integer;
inline constexpr auto unsigned_integer = ImmediateType::unsigned_integer;

bool print_float(PrintLine& line);
bool print_half(PrintLine& line);
bool print_integer(PrintLine& line);
bool print_conversion(PrintLine& line);
bool print_warp(PrintLine& line);
bool print_memory(PrintLine& line);
bool print_atomic(PrintLine& line);
bool print_synchronisation(PrintLine& line);
bool print_control_flow(PrintLine& line);
bool print_uniform(PrintLine& line);
bool print_tensor(PrintLine& line);

}  // namespace sassafras::isa
