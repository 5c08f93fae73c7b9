// Which lanes of a diverged warp the hardware has at hand when those that run must wait.
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// Of the lanes of a warp that do not run, those of the last split's larger part are kept as a group. All others are
/// lanes with a pc each, among which the next to run must be sought (validate/records/h200/probes/divergence.cu, rows
/// `early` and `both`: where the first of two sides splits, going on with the second takes 33 cycles more and an
/// instruction is issued again; where the second splits, nothing is lost. co_rank_groups.cu shows the same by counts.)
/// Execution follows the same rule (sim/execute/divergence.cpp); here it is told from the lanes of segments, as
/// imported traces have nothing else.
class KeptLanes {
  public:
    /// The warp goes on with lanes `to` after `from`, of which some have `exited` where that is why they are fewer.
    /// True if `to` must be sought.
    bool move(std::uint32_t from, std::uint32_t to, bool exited) {
        const bool part = (to & ~from) == 0;
        if (part) {
            if (to != from && !exited) kept_ = from & ~to;
            return false;
        }
        if ((from & to) != 0 || from == 0) {  // they have met others
            kept_ &= ~to;
            return false;
        }
        const bool sought = (to & ~kept_) != 0;
        kept_ = 0;
        return sought;
    }

  private:
    std::uint32_t kept_ = 0;
};

}  // namespace sassafras::sim
