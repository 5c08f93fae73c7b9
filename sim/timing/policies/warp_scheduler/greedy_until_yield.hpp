// Greedy until the code says yield: warps are in a line, those of the block that started first in front, of a block the
// last that started. The warp that issued last goes on while it can, else the first in the line that can. Who issues an
// instruction with the yield hint goes behind the others of its block.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <string_view>

#include "sim/platform/platform.hpp"
#include "sim/timing/sm/ready_warps.hpp"

namespace sassafras::sim {

class GreedyUntilYield {
  public:
    static constexpr std::string_view may_starve = "who can issue goes on until its code yields: the others wait";
    explicit GreedyUntilYield(const SmParameters& /*sm*/) {}

    template <class Ready>
    std::uint32_t pick(Ready& ready) {
        const std::uint32_t last = ready.last();
        const bool goes_on = contains(ready.candidates(), last) && last == stays_;
        if (goes_on && ready.can_issue(last)) return issues(ready, last);
        std::uint32_t chosen = no_warp;
        Place first;
        for (std::uint32_t rest = ready.candidates(); rest != 0; rest &= rest - 1) {
            const auto warp = static_cast<std::uint32_t>(std::countr_zero(rest));
            const Place place{.block = ready.block_age(warp), .in_block = place_in_block(ready, warp)};
            if ((goes_on && warp == last) || (chosen != no_warp && place > first) || !ready.can_issue(warp)) continue;
            chosen = warp;
            first = place;
        }
        return chosen == no_warp ? no_warp : issues(ready, chosen);
    }

  private:
    struct Place {
        std::uint64_t block = 0;
        std::uint64_t in_block = 0;
        auto operator<=>(const Place&) const = default;
    };

    template <class Ready>
    std::uint64_t place_in_block(Ready& ready, std::uint32_t warp) {
        const std::uint64_t age = ready.age(warp);
        if (ages_[warp] != age + 1) {
            ages_[warp] = age + 1;
            places_[warp] = middle - age;
        }
        return places_[warp];
    }
    template <class Ready>
    std::uint32_t issues(Ready& ready, std::uint32_t warp) {
        const bool yields = ready.yields(warp);
        stays_ = yields ? no_warp : warp;
        if (yields) {
            ages_[warp] = ready.age(warp) + 1;
            places_[warp] = middle + ++yields_;
        }
        return warp;
    }

    static constexpr std::uint64_t middle = std::uint64_t{1} << 63U;
    std::array<std::uint64_t, no_warp> places_{};  ///< in the block's line, by warp
    std::array<std::uint64_t, no_warp> ages_{};    ///< plus one, of whom a place is
    std::uint64_t yields_ = 0;
    std::uint32_t stays_ = no_warp;  ///< who issued last, unless it yielded
};

}  // namespace sassafras::sim
