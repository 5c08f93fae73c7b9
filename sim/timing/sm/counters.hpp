// What one SM counts; merged over SMs in order at the end of a launch. One list serves counting, merging and printing.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sassafras::sim {

/// Why a warp did not issue in a cycle, by Nsight Compute's names; `selected` is the cycle in which it did.
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
    count_,
};
inline constexpr std::size_t stall_count = static_cast<std::size_t>(Stall::count_);
inline constexpr std::array<std::string_view, stall_count> stall_names{
    "selected",           "wait",           "long_scoreboard", "short_scoreboard", "barrier",
    "math_pipe_throttle", "lg_throttle",    "mio_throttle",    "no_instruction",   "imc_miss",
    "branch_resolve",     "dispatch_stall", "not_selected",    "sleeping",         "membar"};

struct SmCounters {
    std::uint64_t warp_cycles = 0;    ///< resident warps summed over cycles
    std::uint64_t active_cycles = 0;  ///< cycles with a resident warp
    std::uint64_t l1_load_sectors = 0;
    std::uint64_t l1_load_hit_sectors = 0;
    std::uint64_t l1_store_sectors = 0;
    std::uint64_t l1_load_requests = 0;
    std::uint64_t l1_store_requests = 0;
    std::uint64_t shared_wavefronts = 0;
    std::uint64_t shared_wavefronts_ideal = 0;

    void merge(const SmCounters& other) {
        warp_cycles += other.warp_cycles;
        active_cycles += other.active_cycles;
        l1_load_sectors += other.l1_load_sectors;
        l1_load_hit_sectors += other.l1_load_hit_sectors;
        l1_store_sectors += other.l1_store_sectors;
        l1_load_requests += other.l1_load_requests;
        l1_store_requests += other.l1_store_requests;
        shared_wavefronts += other.shared_wavefronts;
        shared_wavefronts_ideal += other.shared_wavefronts_ideal;
    }
};

using StallTable = std::vector<std::array<std::uint64_t, stall_count>>;  ///< by instruction

}  // namespace sassafras::sim
