// The places in memory at which threads learn of one another: words, so that a flag written as part of 64 bits is the
// one that is read as 32 (cuda::barrier on sm_75 does so), and two flags side by side stay two. What is narrower than a
// word is a place by its own address.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/check/hazard.hpp"

namespace sassafras::sim {

/// `f(lane, location)` for every place that the access touches, in order of lanes.
template <class F>
void for_each_location(const WarpAccess& access, F&& f) {
    constexpr std::uint32_t word_bytes = 4;
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = access.address[lane];
        f(lane, address);
        for (std::uint32_t at = word_bytes; at < access.width; at += word_bytes) f(lane, address + at);
    }
}

}  // namespace sassafras::sim
