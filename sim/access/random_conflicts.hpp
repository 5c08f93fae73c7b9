// What bank conflicts would cost if addresses were random: balls into bins.
#pragma once

#include <array>
#include <cstdint>

#include "core/types.hpp"

namespace sassafras::sim {

/// Expected greatest number of balls in a bin, for `balls` (at most warp_size) thrown independently and uniformly into
/// `bins`: the wavefronts of as many lanes that access different words of random banks. Exact: P(greatest <= k) is
/// balls! / bins^balls times the coefficient of x^balls in (sum of x^i / i! for i <= k)^bins.
/// `words`: if not 0, a bank has only so many words, and lanes that chose the same one share it.
[[nodiscard]] double expected_wavefronts(std::uint32_t balls, std::uint32_t bins, std::uint64_t words = 0);

/// [k]: probability that as many lanes, each with a word of its own in a random bank, take k wavefronts.
using WavefrontChances = std::array<double, warp_size + 1>;
[[nodiscard]] WavefrontChances wavefront_chances(std::uint32_t balls, std::uint32_t bins);

/// expected_wavefronts of 0 to warp_size lanes.
using ExpectedByLanes = std::array<double, warp_size + 1>;
[[nodiscard]] ExpectedByLanes expected_by_lanes(std::uint32_t bins, std::uint64_t words = 0);

}  // namespace sassafras::sim
