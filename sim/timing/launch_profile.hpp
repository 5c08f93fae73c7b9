// What a launch did in the course of its cycles, and when its blocks ran: on request.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/metrics/stall.hpp"

namespace sassafras::sim {

/// What a launch counted in cycles [begin, end), of all SMs and the memory system.
struct IntervalCounts {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t instructions = 0;      ///< that warps issued
    std::uint64_t cycles_active = 0;     ///< of SMs with a resident warp
    std::uint64_t warps_active = 0;      ///< warp-cycles
    std::uint64_t l2_sectors = 0;        ///< that SMs asked L2 for, or sent it
    std::uint64_t dram_bytes_read = 0;   ///< by requests that left their SMs in the interval
    std::uint64_t dram_bytes_write = 0;  ///< the same
    StallCycles stalls{};                ///< of stalls that end in the interval
};

/// A block on its SM, in cycles of the launch.
struct BlockTime {
    std::uint64_t block = 0;
    std::uint32_t sm = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};

/// What is recorded of a launch.
struct ProfileRequest {
    std::uint64_t interval = 0;     ///< cycles; 0: no intervals
    std::uint64_t most_blocks = 0;  ///< whose times are kept
};

struct LaunchProfile {
    std::uint64_t interval = 0;             ///< cycles: as requested, or that doubled while there were too many
    std::vector<IntervalCounts> intervals;  ///< one behind the other, from cycle 0 to the launch's end
    std::vector<BlockTime> blocks;          ///< by their ends
    std::uint64_t blocks_left_out = 0;

    [[nodiscard]] bool empty() const { return intervals.empty() && blocks.empty(); }
};

}  // namespace sassafras::sim
