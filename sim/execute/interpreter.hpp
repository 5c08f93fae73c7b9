// Runs warps: straight runs of micro-ops, divergence and reconvergence, barriers of the block.
#pragma once

#include <cstdint>

#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

enum class Stop : std::uint8_t { quantum, blocked, clock, turn, exited, failed };

/// Runs a warp until it has produced `quantum` more instructions (a straight run is finished), cannot go on, or fails;
/// then launch.fault or the out-parameter says why. The trace holds all that ran.
Stop run_warp(Launch& launch, Block& block, Warp& warp, std::uint64_t quantum, Error& error);

/// True if some group of the warp can run.
[[nodiscard]] bool is_ready(Warp& warp);

// ---- groups of a warp (divergence.cpp) ---------------------------------------------------------------------------
/// Splits `lanes` off the running group; they go on at `pc` in a group of their own, which is returned.
Group& split(Warp& warp, std::uint32_t lanes, std::uint32_t pc);
/// Makes groups ready whose convergence barrier or WARPSYNC is complete, merging those that meet. Where all groups of
/// the warp wait for one another, one of those at BSYNC goes on: lanes meet there to save time, no result depends on
/// it. Where none is there, lanes at WARPSYNC that have met all that they name go on without others of their group.
void release_converged(Warp& warp);
/// Chooses the group that runs next. The running group goes on if what it waited for has come. Otherwise the youngest
/// ready one runs, with all ready ones at its pc unless it has waited since the last split only. When `fair`, the one
/// that waited longest runs. False if none is ready.
bool choose_group(Warp& warp, bool fair);
void remove_group(Warp& warp, std::uint32_t index);
/// The running group executes YIELD: groups that wait at BSYNC for lanes that only yield go on without them, and the
/// ready group that has waited longest runs next.
void yield_group(Warp& warp);
/// The running group executes NANOSLEEP: it is not ready before wake_groups(), and does not hold up those at BSYNC, as
/// one that yields.
void sleep_group(Warp& warp);
/// Groups that wait at BSYNC only for lanes that sleep go on. False if there are none.
bool release_from_sleepers(Warp& warp);
/// Groups of `lanes` that sleep are ready. False if there are none.
bool wake_groups(Warp& warp, std::uint32_t lanes);

// ---- barriers of the block (block_barrier.cpp) ---------------------------------------------------------------------
/// The running group executes BAR with the lanes in `mask`. True if the group goes on at once.
bool arrive_at_barrier(Block& block, Warp& warp, const MicroOp& op, std::uint32_t mask);
/// After lanes have exited: barriers that waited for them may be complete.
void account_for_exit(Block& block, Warp& warp);

}  // namespace sassafras::sim
