// What execution in parallel keeps from launch to launch of a device.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/execute/concurrent/access_log.hpp"
#include "sim/execute/concurrent/block_snapshot.hpp"
#include "sim/execute/concurrent/line_owners.hpp"
#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

struct ConcurrentMemory {
    explicit ConcurrentMemory(const MemoryImage& memory) : owners(memory.host_memory()) {}

    LineOwners owners;
    std::uint32_t epoch = first_epoch;
    std::vector<AccessLog> logs;           ///< by part
    std::vector<BlockSnapshot> snapshots;  ///< by block of all parts
    /// By part: lent to its blocks that begin and end in one turn, so that one after the other finds it in the caches.
    std::vector<BlockState> states;
    /// Kernels and the allocations that they read and change in one launch: their reads are recorded from the start.
    std::set<std::pair<std::string, std::uint64_t>> read_and_changed;

    static constexpr std::uint32_t before_all = 1;  ///< an epoch in which nothing happens
    static constexpr std::uint32_t first_epoch = 2;
};

}  // namespace sassafras::sim
