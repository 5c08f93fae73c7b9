// What a warp scheduler sees of its sub-core. Warps are numbered from 0 in each sub-core. A scheduler is a class with
//
//     explicit Scheduler(const SmParameters&);
//     template <class Ready> std::uint32_t pick(Ready& ready);
//
// Who can issue all the time does so before any other has issued twice, unless the scheduler says why not:
//
//     static constexpr std::string_view may_starve = "its reason";
//
// pick() gives the warp that issues, or no_warp after can_issue() was false for every candidate: only then is it known
// when to look again. `Ready` is what the sub-core has:
//
//     std::uint32_t candidates();              // a bit for each warp that could issue but for its unit
//     std::uint32_t last();                    // the warp that issued last, no_warp if that has ended
//     bool yields(std::uint32_t warp);         // its next instruction has the yield hint
//     std::uint64_t age(std::uint32_t warp);   // order of start: greater is younger
//     std::uint64_t block_age(std::uint32_t warp);  // order of start of its block
//     bool can_issue(std::uint32_t warp);      // its unit is free
#pragma once

#include <bit>
#include <cstdint>

namespace sassafras::sim {

/// Most warps of a sub-core, and no warp where the number of one is wanted.
inline constexpr std::uint32_t no_warp = 32;

[[nodiscard]] constexpr bool contains(std::uint32_t warps, std::uint32_t warp) {
    return warp < no_warp && (warps >> warp & 1U) != 0;
}

/// The first of `warps` that can issue, in turn from warp `next`, which may be no_warp: then from 0.
template <class Ready>
std::uint32_t first_in_turn(Ready& ready, std::uint32_t warps, std::uint32_t next) {
    for (std::uint32_t rest = std::rotr(warps, static_cast<int>(next % no_warp)); rest != 0; rest &= rest - 1) {
        const std::uint32_t warp = (next + static_cast<std::uint32_t>(std::countr_zero(rest))) % no_warp;
        if (ready.can_issue(warp)) return warp;
    }
    return no_warp;
}

}  // namespace sassafras::sim
