// What the SMs of a GPC read together passes its port.
//
// Source: validate/records/h200/probes/gpc_port.cu; docs/decisions/0058-a-gpcs-port.md. Slices are simulated apart from
// each other, so each has its share of each GPC's port.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/cycle_fraction.hpp"

namespace sassafras::sim {

class GpcPorts {
  public:
    /// So many cycles a read waits for its share without being late: while some shares have a queue others have none,
    /// and a GPC has one port. With none, 8 SMs of a GPC that read 90 % of what it can (gpc_port.cu, 512 threads) are
    /// 13 % too slow, with 64 cycles 6, with 128 2 %; what the port bounds is the same with any.
    static constexpr std::uint64_t share_slack_cycles = 128;

    GpcPorts(const Platform& platform, std::uint32_t gpcs) : slices_(platform.l2.slices / platform.l2.partitions) {
        const std::uint32_t bytes = platform.l2.gpc_bytes_per_cycle;
        if (bytes == 0) return;
        cost_ = byte_cost(bytes) * slices_;
        free_.assign(std::size_t{gpcs} * slices_, 0);
    }

    void clear() { std::fill(free_.begin(), free_.end(), 0); }

    /// The cycle at which `bytes` that a slice, by its number in its partition, serves at `served` have passed. Booked
    /// for when their request arrives, as slices are.
    [[nodiscard]] std::uint64_t pass(std::uint32_t gpc, std::uint32_t slice, std::uint64_t arrival, std::uint64_t bytes,
                                     std::uint64_t served) {
        if (cost_ == 0) return served;
        std::uint64_t& free = free_[gpc * slices_ + slice];
        const std::uint64_t start = std::max(free, arrival * cycle_fraction);
        free = start + bytes * cost_;
        const std::uint64_t turn = start / cycle_fraction;
        return std::max(served, turn - std::min(turn, share_slack_cycles));
    }

  private:
    std::size_t slices_;               ///< of a partition
    std::uint64_t cost_ = 0;           ///< of a share, 2^-20 cycles a byte
    std::vector<std::uint64_t> free_;  ///< by GPC, then slice: when the share is free, 2^-20 cycles
};

}  // namespace sassafras::sim
