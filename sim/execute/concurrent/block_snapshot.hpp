// What of a block execution can change, but global memory: to go back to where it stood.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

class BlockSnapshot {
  public:
    /// A block of which nothing has executed costs nothing.
    void take(Block& block);
    void restore(Block& block) const;

  private:
    bool fresh_ = true;
    std::uint32_t live_warps_ = 0;
    std::vector<Warp> state_;
    std::vector<WarpTrace::Mark> traces_;
    std::vector<std::byte> registers_;
    std::vector<std::byte> shared_;
    std::vector<std::byte> local_;
    std::array<NamedBarrier, named_barriers> barriers_{};
};

}  // namespace sassafras::sim
