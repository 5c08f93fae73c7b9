// Lv's merges at the shapes that are quickest on a modelled GPU.
#pragma once

#include <string>

#include "validate/claims/evidence.hpp"

namespace sassafras::validate::claims {

/// The thesis merges up to 100M and 100M keys; its smallest size that fills a GPU is a million in either array.
inline constexpr std::uint64_t merged_keys = 2000000;

/// A variant as the thesis writes it (lv-...), 2 x 10^6 keys, at the shape that took the fewest cycles for 2^20 keys,
/// on titan-z and gtx980 alike: of b = 128, 256, S = 2,048, 2,560, 512 blocks.
[[nodiscard]] RunSpec tuned_merge(const std::string& platform, const std::string& variant);

}  // namespace sassafras::validate::claims
