// The transcendental unit (MUFU), bit for bit an H200's: quadratic interpolation in tables (docs/mufu.md).
#pragma once

#include <cstdint>

#include "sim/execute/small_float.hpp"

namespace sassafras::sim {

/// `function` is the MufuFunction of the encoding; rcp64h and rsq64h take and give the upper word of a double.
[[nodiscard]] std::uint32_t mufu(std::uint32_t function, std::uint32_t operand);

/// The forms of 16 bits; `operand` is a number of `format`, and so is the result (its bits).
[[nodiscard]] std::uint32_t mufu(std::uint32_t function, double operand, SmallFormat format);

}  // namespace sassafras::sim
