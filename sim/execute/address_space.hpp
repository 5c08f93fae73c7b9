// What a block's shared memory and a thread's stack look like, as the simulator lays them out. The windows through
// which generic addresses reach them are part of the trace.
#pragma once

#include <cstdint>

#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

inline constexpr std::uint32_t stack_top = 0x00ff'fdc0;  ///< initial R1 of every thread

}  // namespace sassafras::sim
