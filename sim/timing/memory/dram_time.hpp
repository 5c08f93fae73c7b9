// What schedulers of DRAM have in common. A scheduler is a class with
//
//     explicit Scheduler(const Platform&);
//     void clear();                           // a launch begins: nothing is under way
//     void advance(std::uint64_t time);       // no access will come for an earlier time
//     // The cycle at which `bytes` of a line have come into L2, or have been written:
//     template <class Map> std::uint64_t read(const Map&, const DramAccess&);
//     template <class Map> std::uint64_t write(const Map&, const DramAccess&);
//
// Each access is answered when it is made and the answer stands; accesses of a channel come in the order in which L2
// comes to them, which is nearly that of their times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/timing/cycle_fraction.hpp"

namespace sassafras::sim {

struct DramAccess {
    std::uint32_t channel = 0;
    std::uint64_t line = 0;
    std::uint64_t time = 0;  ///< cycle at which L2 asks
    std::uint64_t bytes = 0;
    bool row_lost = false;  ///< another row has been opened meanwhile in the bank
};

/// Bytes a cycle of one channel, error correction taken off.
template <class AnyPlatform>
[[nodiscard]] double channel_bytes_per_cycle(const AnyPlatform& platform) {
    return platform.dram.usable_gb_per_s() * 1e3 / platform.clock.sm_mhz / platform.dram.channels;
}

/// Time between two activations of a channel's rows where there is one after the other, in 2^-20 cycles; 0 where the
/// platform has no bound. That four may come sooner where tFAW is more than four tRRD is left out.
template <class AnyPlatform>
[[nodiscard]] std::uint64_t cycles_between_activations(const AnyPlatform& platform) {
    const double ns = std::max(platform.dram.t_rrd_ns, platform.dram.t_faw_ns / 4);
    return static_cast<std::uint64_t>(
        std::llround(ns * platform.clock.sm_mhz / 1000 * static_cast<double>(cycle_fraction)));
}

}  // namespace sassafras::sim
