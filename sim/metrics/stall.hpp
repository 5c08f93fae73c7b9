// Why a warp does not issue: the one list of reasons, by Nsight Compute's names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sassafras::sim {

/// In each cycle a resident warp is in one of these states; `selected` is the cycle in which it issues.
enum class Stall : std::uint8_t {
    selected,
    wait,
    long_scoreboard,
    short_scoreboard,
    barrier,
    math_pipe_throttle,
    lg_throttle,
    mio_throttle,
    no_instruction,
    imc_miss,
    branch_resolve,
    dispatch_stall,
    not_selected,
    sleeping,
    membar,
    drain,
    count_,
};
inline constexpr std::size_t stall_count = static_cast<std::size_t>(Stall::count_);

struct StallRow {
    std::string_view name;
    std::string_view meaning;       ///< what the warp does or waits for
    std::string_view in_metrics{};  ///< where Nsight Compute's metric has another name than its source page
};

/// By reason.
inline constexpr std::array<StallRow, stall_count> stall_rows{{
    {"selected", "issues"},
    {"wait", "waits for the fixed delay that the compiler has written into the instruction before"},
    {"long_scoreboard", "waits for a value from global or local memory"},
    {"short_scoreboard", "waits for a value from shared memory, a shuffle, the XU or another unit of varying delay"},
    {"barrier", "waits at a barrier for other warps of its block"},
    {"math_pipe_throttle", "waits until the pipe of its instruction is free"},
    {"lg_throttle", "waits until the queue of global and local accesses has room"},
    {"mio_throttle", "waits until the queue of shared memory and the like has room"},
    {"no_instruction", "waits until its next instruction is fetched"},
    {"imc_miss", "waits until a constant is in the constant cache"},
    {"branch_resolve", "waits until a branch has its target", "branch_resolving"},
    {"dispatch_stall", "waits until registers can be read and dispatch is free"},
    {"not_selected", "could issue, but another warp is chosen"},
    {"sleeping", "sleeps"},
    {"membar", "waits at a fence until its memory accesses are done"},
    {"drain", "has exited, and waits until the registers of its stores are read and its constants are there"},
}};

/// Warp-cycles by reason.
using StallCycles = std::array<std::uint64_t, stall_count>;
using StallTable = std::vector<StallCycles>;  ///< by instruction

[[nodiscard]] constexpr std::size_t index_of(Stall reason) { return static_cast<std::size_t>(reason); }

}  // namespace sassafras::sim
