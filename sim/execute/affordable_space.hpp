// How much address space a simulated memory may take where the process may not have all it likes (ulimit -v, ulimit
// -d).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sassafras::sim {

/// `wanted` bytes, or half of what is left to the process if that is less: the other half is for the simulator.
[[nodiscard]] std::uint64_t affordable_space(std::uint64_t wanted);

/// The limit that leaves the process least, as errors say it: "the address space of this process is limited to 100,000
/// KiB by ulimit -v". Empty if it has none.
[[nodiscard]] std::string space_limit();

/// The limit of address space alone (ulimit -v), in bytes. Takes no memory: there may be none when it is asked.
[[nodiscard]] std::optional<std::uint64_t> address_space_limit();

}  // namespace sassafras::sim
