// The unit in which queues of the memory system keep their times.
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// Parts of a cycle: 2^20, as a channel moves a sector in less than a cycle.
inline constexpr std::uint64_t cycle_fraction = 1ULL << 20U;

}  // namespace sassafras::sim
