// Greedy, then oldest: the warp that issued last while it can, else the one that started first (Rogers et al., MICRO
// 2012).
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "sim/platform/platform.hpp"
#include "sim/timing/sm/ready_warps.hpp"

namespace sassafras::sim {

class GreedyThenOldest {
  public:
    static constexpr std::string_view may_starve = "who can issue goes on, then the oldest: the younger wait";
    explicit GreedyThenOldest(const SmParameters& /*sm*/) {}

    template <class Ready>
    std::uint32_t pick(Ready& ready) const {
        const std::uint32_t last = ready.last();
        if (contains(ready.candidates(), last) && ready.can_issue(last)) return last;
        std::uint32_t chosen = no_warp;
        std::uint64_t oldest = 0;
        for (std::uint32_t rest = ready.candidates(); rest != 0; rest &= rest - 1) {
            const auto warp = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (warp == last || (chosen != no_warp && ready.age(warp) > oldest) || !ready.can_issue(warp)) continue;
            chosen = warp;
            oldest = ready.age(warp);
        }
        return chosen;
    }
};

}  // namespace sassafras::sim
