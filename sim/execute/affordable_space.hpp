// How much address space a simulated memory may take where the process may not have all it likes (ulimit -v).
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// `wanted` bytes, or half of what is left to the process if that is less: the other half is for the simulator.
[[nodiscard]] std::uint64_t affordable_space(std::uint64_t wanted);

/// Whether the process has a limit of address space at all.
[[nodiscard]] bool is_space_limited();

}  // namespace sassafras::sim
