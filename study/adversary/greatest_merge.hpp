// The most that any merge of two lists can cost a warp, by exhaustion. For small w; the constructions are checked by
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "study/adversary/merge_path.hpp"

namespace sassafras::study::adversary {

/// The greatest accesses_along() of all merges, one by one: C(first_count + second_count, first_count) of them.
[[nodiscard]] std::uint64_t greatest_by_merges(const TwoLists& lists, std::uint32_t E, std::uint32_t w);

/// The same by another way, fit for longer lists: the cost of a merge is the greatest, over all choices of a bank for
/// each step, of the elements that come from the chosen banks. For each of the w^E choices the best merge follows
/// by dynamic programming.
[[nodiscard]] std::uint64_t greatest_by_banks(const TwoLists& lists, std::uint32_t E, std::uint32_t w);
/// The same for groups of a warp's threads, each of which merges two lists of its own: the banks are in common.
[[nodiscard]] std::uint64_t greatest_by_banks(const std::vector<TwoLists>& groups, std::uint32_t E, std::uint32_t w);

}  // namespace sassafras::study::adversary
