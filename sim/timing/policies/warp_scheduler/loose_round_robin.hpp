// Loose round robin: the warps take turns; whoever cannot issue when its turn comes is passed over and loses nothing
// but this turn. A warp that can issue all the time therefore does so before any other has issued twice.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/platform/platform.hpp"
#include "sim/timing/sm/ready_warps.hpp"

namespace sassafras::sim {

class LooseRoundRobin {
  public:
    explicit LooseRoundRobin(const SmParameters& /*sm*/) {}

    template <class Ready>
    std::uint32_t pick(Ready& ready) {
        const std::uint32_t chosen = first_in_turn(ready, ready.candidates(), next_);
        if (chosen != no_warp) next_ = chosen + 1;
        return chosen;
    }

  private:
    std::uint32_t next_ = 0;  ///< whose turn it is
};

}  // namespace sassafras::sim
