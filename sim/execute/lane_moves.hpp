// How lanes leave the running group of a warp at the rarer control instructions: indirect branches, WARPSYNC, exits.
#pragma once

#include <cstdint>

#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

/// Lanes with different targets part; those that fall through, or else those that share the first lane's target, run
/// on. A function of the driver runs at once; its lanes go on behind the call.
[[nodiscard]] bool branch_indirect(Launch& launch, Warp& warp, const MicroOp& op, std::uint32_t taken, Error& error);

/// WARPSYNC: the running group waits for the lanes that its lanes name. With .EXCLUSIVE (mode 1) and .COLLECTIVE (2)
/// those that name different ones go on apart.
void wait_for_lanes(Warp& warp, const std::uint32_t* named, std::uint32_t mode);

/// Parts the groups at WARPSYNC that hold lanes of `met` and others.
void part_from(Warp& warp, std::uint32_t met);

/// ENDCOLLECTIVE: each lane goes on behind the region that it came to, which need not be the one that was executed.
void leave_collective(Warp& warp);

/// EXIT of the lanes in `mask`. True if the group still runs.
[[nodiscard]] bool exit_lanes(Block& block, Warp& warp, std::uint32_t mask);

}  // namespace sassafras::sim
