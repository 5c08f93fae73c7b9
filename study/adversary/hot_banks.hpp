// The banks that a warp's merges pile their accesses up in: one for each step, in common for all pairs of lists that
// the warp merges at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "study/adversary/merge_path.hpp"

namespace sassafras::study::adversary {

struct HotBankChoice {
    HotBanks banks;
    std::uint64_t aligned = 0;  ///< most_aligned_count() of all pairs of lists
};

/// Hot banks of E steps under which the merges of these pairs of lists, each its best, take most elements from them.
/// That is a lower bound of what the best merges cost a warp, and with the best banks their exact cost. Tried, from
/// bank s for every s: s, s + 1, s + 2, ...; then those that skip some banks once; then a climb from the best (seeded,
/// so that equal lists give equal banks). It ends at greatest_accesses() or after a tenth of a second or so, by count.
/// 4 <= w <= 32, a power of two.
[[nodiscard]] HotBankChoice search_hot_banks(const std::vector<TwoLists>& lists, std::uint32_t E, std::uint32_t w);

}  // namespace sassafras::study::adversary
