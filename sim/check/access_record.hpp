// The addresses of an access as WarpTrace buffers them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/types.hpp"

namespace sassafras::sim {

using RecordedAddresses = std::array<std::uint64_t, warp_size>;  ///< by lane

/// Takes one access record off `words`; returns its mask.
[[nodiscard]] std::uint32_t take_record(std::span<const std::uint64_t>& words, RecordedAddresses& address);

}  // namespace sassafras::sim
