// Two levels (Narasiman et al., MICRO 2011): warps form groups of neighbours; the group that issued last goes first,
// its warps in turn, and the groups after it, in turn, when it has nothing that can issue. So groups come to long waits
// at different times. A group goes on where it stopped. Unlike the paper's, a group gives way whenever none of its
// warps can issue, not only when all wait for memory: no cycle is lost.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "sim/platform/platform.hpp"
#include "sim/timing/sm/ready_warps.hpp"

namespace sassafras::sim {

class TwoLevel {
  public:
    static constexpr std::string_view may_starve = "the group that issued last goes first: the others wait";
    explicit TwoLevel(const SmParameters& sm)
        : warps_(std::min(sm.scheduler_group_warps, no_warp)), groups_((no_warp + warps_ - 1) / warps_) {}

    template <class Ready>
    std::uint32_t pick(Ready& ready) {
        for (std::uint32_t turn = 0; turn < groups_; ++turn) {
            const std::uint32_t group = (group_ + turn) % groups_;
            const std::uint32_t members = ready.candidates() & members_of(group);
            const std::uint32_t chosen = members == 0 ? no_warp : first_in_turn(ready, members, next_[group]);
            if (chosen == no_warp) continue;
            group_ = group;
            next_[group] = chosen + 1;
            return chosen;
        }
        return no_warp;
    }

  private:
    [[nodiscard]] std::uint32_t members_of(std::uint32_t group) const {
        const std::uint64_t width = (std::uint64_t{1} << warps_) - 1;
        return static_cast<std::uint32_t>(width << (group * warps_));
    }

    std::uint32_t warps_ = 1;  ///< in a group
    std::uint32_t groups_ = 1;
    std::uint32_t group_ = 0;                    ///< that issued last
    std::array<std::uint32_t, no_warp> next_{};  ///< by group: whose turn it is
};

}  // namespace sassafras::sim
