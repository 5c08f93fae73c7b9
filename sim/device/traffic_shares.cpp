#include "sim/device/traffic_shares.hpp"

namespace sassafras::sim {

L2Shares shares_of_l2(const L2Traffic& l2, double cycles, const Platform& platform) {
    constexpr double sectors_sent = 2;  // by a slice, in a cycle of L2's clock
    const double slice_cycles = cycles * platform.l2.clock_share * platform.l2.slices;
    // A request that brings data comes with its first sector; a mask of what it writes takes as long as a sector.
    const auto came = static_cast<double>(l2.reads.requests + l2.writes.sectors + l2.masked + l2.reductions.sectors +
                                          l2.atomics.sectors);
    const auto went = static_cast<double>(l2.reads.sectors + l2.atomics.sectors);
    return {.from_crossbar = came / slice_cycles, .to_crossbar = went / sectors_sent / slice_cycles};
}

}  // namespace sassafras::sim
