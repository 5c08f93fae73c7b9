// Lanes of a warp, as the unsigned number that threads and masks are counted with.
#pragma once

#include <cstdint>

#include "core/types.hpp"

namespace sassafras::sim {

inline constexpr std::uint32_t lane_count = static_cast<std::uint32_t>(warp_size);

}  // namespace sassafras::sim
