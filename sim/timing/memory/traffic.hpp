// What passes through SMs' memory units and what they ask of L2, by kind. Nothing reads it while a launch runs, and
// only the full set of metrics shows it (sim/device/full_set).
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// Of what Nsight Compute's throughput of L1 is the greatest share.
struct L1Traffic {
    std::uint64_t wavefronts = 0;     ///< of loads and stores through the data stage
    std::uint64_t line_requests = 0;  ///< lines of loads that L2 is asked for, and what atomics send
    std::uint64_t store_cycles = 0;   ///< in which what is stored goes to L2

    /// `factor`: of an estimate.
    void add(const L1Traffic& other, double factor = 1);
};

/// What Nsight Compute's table of L2 has with srcunit_tex in its names: each request and sector once, in the slice that
/// it comes to first.
struct L2Accesses {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;

    void count(std::uint64_t request_sectors) {
        ++requests;
        sectors += request_sectors;
    }
    void add(const L2Accesses& other, double factor = 1);
};

struct L2Traffic {
    L2Accesses reads, writes, reductions, atomics;
    std::uint64_t read_misses = 0;  ///< sectors that the slice lacked
    std::uint64_t brought = 0;      ///< those, and what DRAM reads with them
    std::uint64_t masked = 0;       ///< writes that bring a mask of their bytes
    std::uint64_t lines = 0;        ///< of all slices, that were used; one that goes and comes back counts again

    void add(const L2Traffic& other, double factor = 1);
};

}  // namespace sassafras::sim
