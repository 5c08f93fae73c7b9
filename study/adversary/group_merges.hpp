// The rounds of a mergesort inside a warp: every `threads` of its w (a power of two, 2 to w) merge two lists of equal
// length, all lists one behind the other from bank 0.
#pragma once

#include <cstdint>

#include "study/adversary/merge_path.hpp"

namespace sassafras::study::adversary {

/// The merges that take most elements from the hot banks that search_hot_banks() finds; pairs of lists that begin in
/// different banks have paths of their own.
[[nodiscard]] WarpMerge worst_group_merges(std::uint32_t E, std::uint32_t w, std::uint32_t threads);

/// The best of a few regular merges, then levelled (level_merges.hpp): need not be free of conflicts, nor the best.
[[nodiscard]] WarpMerge best_group_merges(std::uint32_t E, std::uint32_t w, std::uint32_t threads);

}  // namespace sassafras::study::adversary
