// The unit in which queues of the memory system keep their times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sassafras::sim {

/// Parts of a cycle: 2^20, as a channel moves a sector in less than a cycle.
inline constexpr std::uint64_t cycle_fraction = 1ULL << 20U;

/// Time that a byte takes, in 2^-20 cycles.
[[nodiscard]] inline std::uint64_t byte_cost(double bytes_per_cycle) {
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::llround(static_cast<double>(cycle_fraction) / bytes_per_cycle)));
}

}  // namespace sassafras::sim
