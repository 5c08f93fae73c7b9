// Copies from global to shared memory that bypass registers (LDGSTS), and the scoreboards that count groups of them: an
// LDGDEPBAR closes a group, and its scoreboard clears once that group and all before it are done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/timing/sm/resident_warp.hpp"

namespace sassafras::sim {

class CopyGroups {
  public:
    /// Room for the warps of `slots` slots, which is taken with the first copy.
    explicit CopyGroups(std::size_t slots) : slots_(slots) {}

    /// A copy of the warp begins; the number of its group, counted from 1.
    std::uint32_t start(const WarpName& warp) {
        Groups& groups = of(warp);
        ++groups.open.back().outstanding;
        return groups.first + static_cast<std::uint32_t>(groups.open.size());
    }
    /// LDGDEPBAR: `scoreboard` stands for all copies of the warp so far.
    void close(const WarpName& warp, std::uint8_t scoreboard) {
        Groups& groups = of(warp);
        groups.open.back().scoreboard = scoreboard;
        groups.open.back().closed = true;
        groups.open.emplace_back();
    }
    void done(const WarpName& warp, std::uint32_t group) {
        Groups& groups = of(warp);
        --groups.open[group - 1 - groups.first].outstanding;
    }
    /// Calls `release(scoreboard)` for every group that is done, and all before it, for the first time.
    template <class Release>
    void retire(const WarpName& warp, Release&& release) {
        Groups& groups = of(warp);
        while (groups.open.front().closed && groups.open.front().outstanding == 0) {
            release(groups.open.front().scoreboard);
            groups.open.erase(groups.open.begin());
            ++groups.first;
        }
    }

  private:
    struct Group {
        std::uint32_t outstanding = 0;
        std::uint8_t scoreboard = Scoreboards::none;
        bool closed = false;
    };
    struct Groups {
        std::uint64_t age = ~std::uint64_t{0};            ///< of the warp; what another left in the slot does not count
        std::uint32_t first = 0;                          ///< number of open[0], from 0
        std::vector<Group> open = std::vector<Group>(1);  ///< the last is not closed
    };

    Groups& of(const WarpName& warp) {
        if (by_slot_.empty()) by_slot_.resize(slots_);
        Groups& groups = by_slot_[warp.slot];
        if (groups.age != warp.age) groups = {.age = warp.age};
        return groups;
    }

    std::size_t slots_;
    std::vector<Groups> by_slot_;
};

}  // namespace sassafras::sim
