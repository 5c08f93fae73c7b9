// What SMs ask of L2, by kind: what Nsight Compute's table of L2 has with srcunit_tex in its names. Each request and
// sector once, in the slice that it comes to first. Only the full set of metrics has it (sim/device/full_set).
#pragma once

#include <cstdint>

namespace sassafras::sim {

struct L2Accesses {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;

    void count(std::uint64_t request_sectors) {
        ++requests;
        sectors += request_sectors;
    }
    /// `factor`: of an estimate.
    void add(const L2Accesses& other, double factor = 1);
};

struct L2Traffic {
    L2Accesses reads, writes, reductions, atomics;
    std::uint64_t read_misses = 0;  ///< sectors that the slice lacked
    std::uint64_t brought = 0;      ///< those, and what DRAM reads with them

    void add(const L2Traffic& other, double factor = 1);
};

}  // namespace sassafras::sim
