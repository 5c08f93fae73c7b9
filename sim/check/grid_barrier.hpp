// The barrier of cooperative groups' grid, which a block leaves when all have come.
//
// A block that is late to leave finds the barrier as blocks that are already at the next one have left it. What they
// did in between is not ordered before what it does: it learns of what was released when its own phase ended, not of
// what was released last.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/check/grid_clock.hpp"

namespace sassafras::sim {

class GridBarrier {
  public:
    /// `workspace`: LaunchRequest::grid_workspace, 0 where there is none.
    void start(std::uint64_t workspace, std::uint64_t blocks) {
        workspace_ = workspace;
        blocks_ = blocks;
        arrivals_ = 0;
        of_block_.clear();
        ends_.clear();
    }

    [[nodiscard]] bool holds(std::uint64_t address) const {
        return workspace_ != 0 && address - workspace_ < workspace_bytes;
    }

    /// One thread of each block arrives; `released`: the grid's time of its release.
    void arrive(std::uint32_t block, const GridTime& released) {
        ++of_block_[block];
        if (++arrivals_ % blocks_ == 0) ends_.push_back(released);
    }

    /// What a block knows that finds the barrier open: nothing while its phase goes on.
    [[nodiscard]] GridTime learnt(std::uint32_t block) const {
        const auto found = of_block_.find(block);
        return found == of_block_.end() || found->second > ends_.size() ? GridTime{} : ends_[found->second - 1];
    }

  private:
    static constexpr std::uint64_t workspace_bytes = 16;
    std::uint64_t workspace_ = 0;
    std::uint64_t blocks_ = 1;
    std::uint64_t arrivals_ = 0;
    std::unordered_map<std::uint32_t, std::uint64_t> of_block_;  ///< arrivals
    std::vector<GridTime> ends_;                                 ///< of phases
};

}  // namespace sassafras::sim
