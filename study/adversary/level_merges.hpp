// Spreading a warp's accesses over the banks: merges that meet fewer conflicts than those begun with.
#pragma once

#include <cstdint>

#include "study/adversary/merge_path.hpp"

namespace sassafras::study::adversary {

/// Merges the same lists with as many accesses_along() or fewer. Over and over, two neighbouring threads of a pair of
/// lists are given the way that meets the least crowded banks, all others staying as they are; what costs more is
/// undone. Seeded: equal merges give equal ones. A local optimum, not the least there is. Some tenths of a second at
/// most, by count.
[[nodiscard]] WarpMerge level_merges(WarpMerge merge, std::uint32_t E, std::uint32_t w);

}  // namespace sassafras::study::adversary
