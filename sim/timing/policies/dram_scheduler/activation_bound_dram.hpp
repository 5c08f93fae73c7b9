// A channel is two queues with a rate: one of bytes, as in order, and one of activations of rows. A channel activates
// a row every tRRD or every quarter of tFAW, whichever is longer; each bank keeps the row of its last access open, and
// an access of another row needs an activation. So a stream, of whose rows many lines are read, is bound by its bytes,
// and single sectors of rows all over the memory by activations. What a bank itself takes (tRCD, tRP, tRAS) is in the
// platform's latency; that an access waits for its bank, or goes ahead of others of it, is left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/dram_row.hpp"
#include "sim/timing/memory/dram_time.hpp"
#include "sim/timing/policies/dram_scheduler/in_order_dram.hpp"

namespace sassafras::sim {

class ActivationBoundDram {
  public:
    explicit ActivationBoundDram(const Platform& platform)
        : bytes_(platform),
          banks_(platform.dram.banks),
          latency_(platform.dram.latency_cycles),
          activation_cost_(cycles_between_activations(platform)),
          miss_cost_(static_cast<std::uint64_t>(
              std::llround(platform.dram.row_miss_cycles * static_cast<double>(cycle_fraction)))),
          free_(std::size_t{platform.dram.channels} * platform.dram.pseudo_channels, 0),
          open_rows_(free_.size() * platform.dram.banks, no_row) {}

    void clear() {
        bytes_.clear();
        std::fill(free_.begin(), free_.end(), 0);
        std::fill(open_rows_.begin(), open_rows_.end(), no_row);
    }
    void advance(std::uint64_t time) { bytes_.advance(time); }

    template <class Map>
    std::uint64_t read(const Map& map, const DramAccess& access) {
        return std::max(activated(map.row(access.line), access), bytes_.read(map, access));
    }
    template <class Map>
    std::uint64_t write(const Map& map, const DramAccess& access) {
        return std::max(activated(map.row(access.line), access), bytes_.write(map, access));
    }

  private:
    static constexpr std::uint64_t no_row = ~std::uint64_t{0};

    /// The cycle at which an access that waits for nothing but its row is answered.
    std::uint64_t activated(const DramRow& row, const DramAccess& access) {
        const std::size_t queue = bytes_.queue_of(access);
        std::uint64_t& open = open_rows_[queue * banks_ + row.bank];
        if (open == row.number && !access.row_lost) return 0;
        open = row.number;
        std::uint64_t& free = free_[queue];
        const std::uint64_t start = std::max(free, access.time * cycle_fraction);
        free = start + activation_cost_;
        bytes_.occupy(queue, access.time, miss_cost_);
        return start / cycle_fraction + latency_;
    }

    InOrderDram bytes_;
    std::uint32_t banks_;
    std::uint64_t latency_;
    std::uint64_t activation_cost_;         ///< 2^-20 cycles
    std::uint64_t miss_cost_;               ///< of the bytes' queue, 2^-20 cycles
    std::vector<std::uint64_t> free_;       ///< by channel, when it can activate again, 2^-20 cycles
    std::vector<std::uint64_t> open_rows_;  ///< by bank, channel by channel
};

}  // namespace sassafras::sim
