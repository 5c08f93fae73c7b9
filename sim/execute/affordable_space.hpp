// How much address space a simulated memory may take where the process may not have all it likes (ulimit -v).
#pragma once

#include <cstdint>
#include <optional>

namespace sassafras::sim {

/// `wanted` bytes, or half of what is left to the process if that is less: the other half is for the simulator.
[[nodiscard]] std::uint64_t affordable_space(std::uint64_t wanted);

/// The process's limit of address space in bytes, if it has one.
[[nodiscard]] std::optional<std::uint64_t> space_limit();

}  // namespace sassafras::sim
