// The transcendental unit (MUFU). Results are the correctly rounded ones; hardware's tables differ from them by a few
// units in the last place for some inputs, so kernels that use MUFU without Newton steps may differ in the last bits.
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// `function` is the MufuFunction of the encoding; rcp64h and rsq64h take and give the upper word of a double.
[[nodiscard]] std::uint32_t mufu(std::uint32_t function, std::uint32_t operand);

}  // namespace sassafras::sim
