// A channel is a queue with a rate: what comes first is served first, and rows count for nothing but the time at which
// their bank is refreshed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/dram_time.hpp"
#include "sim/timing/memory/mix.hpp"

namespace sassafras::sim {

class InOrderDram {
  public:
    explicit InOrderDram(const Platform& platform)
        : dram_(platform.dram),
          line_bytes_(platform.lsu.l1_line_bytes),
          read_cost_(byte_cost(queue_bytes_per_cycle(platform) * platform.dram.efficiency)),
          write_cost_(byte_cost(queue_bytes_per_cycle(platform) * platform.dram.write_efficiency)),
          free_(std::size_t{platform.dram.channels} * platform.dram.pseudo_channels, 0) {}

    void clear() { std::fill(free_.begin(), free_.end(), 0); }
    void advance(std::uint64_t /*time*/) {}

    template <class Map>
    std::uint64_t read(const Map& /*map*/, const DramAccess& access) {
        return book(access, read_cost_) + refresh_wait(row_of(access.line * line_bytes_), access.time);
    }
    template <class Map>
    std::uint64_t write(const Map& /*map*/, const DramAccess& access) {
        return book(access, write_cost_);
    }

    /// Which queue an access is in: pseudo channels have one each, and what lies side by side in a row is in one. A
    /// hash says in which.
    [[nodiscard]] std::size_t queue_of(const DramAccess& access) const {
        const std::size_t queues = dram_.pseudo_channels;
        if (queues == 1) return access.channel;
        const std::uint64_t granule = access.line * line_bytes_ / dram_.row_interleave_bytes;
        return access.channel * queues + mix(granule * dram_.channels + access.channel) % queues;
    }
    /// A queue moves nothing for `cost` (2^-20 cycles), from `time` on or from when it is free.
    void occupy(std::size_t queue, std::uint64_t time, std::uint64_t cost) {
        free_[queue] = std::max(free_[queue], time * cycle_fraction) + cost;
    }

  private:
    [[nodiscard]] static double queue_bytes_per_cycle(const Platform& platform) {
        return channel_bytes_per_cycle(platform) / platform.dram.pseudo_channels;
    }
    std::uint64_t book(const DramAccess& access, std::uint64_t cost) {
        std::uint64_t& free = free_[queue_of(access)];
        free = std::max(free, access.time * cycle_fraction) +
               std::max<std::uint64_t>(access.bytes, dram_.access_bytes) * cost;
        return free / cycle_fraction + dram_.latency_cycles;
    }
    /// Banks are refreshed in turn, each at a time of its own, and answer nothing meanwhile. A row stands for its bank;
    /// a hash of it gives the time, so that it is reproducible, and the same on platforms that differ elsewhere.
    [[nodiscard]] std::uint64_t refresh_wait(std::uint64_t row, std::uint64_t time) const {
        const std::uint64_t interval = dram_.refresh_interval_cycles;
        if (interval == 0) return 0;
        const std::uint64_t since = (time + mix(row)) % interval;
        const std::uint64_t busy = dram_.refresh_cycles;
        return since < busy ? busy - since : 0;
    }
    /// Rows take turns over a region, each group of granules in an order of its own: a stride of a group must not meet
    /// one row only (load cold, lines=32, spacing=8192: as many rows as hashing gives).
    [[nodiscard]] std::uint64_t row_of(std::uint64_t address) const {
        const std::uint64_t granule = address / dram_.row_interleave_bytes;
        const std::uint64_t turn = (granule + mix(granule / dram_.interleaved_rows)) % dram_.interleaved_rows;
        return address / dram_.row_region_bytes * dram_.interleaved_rows + turn;
    }

    DramParameters dram_;
    std::uint64_t line_bytes_;
    std::uint64_t read_cost_;  ///< 2^-20 cycles a byte
    std::uint64_t write_cost_;
    std::vector<std::uint64_t> free_;  ///< by queue, 2^-20 cycles
};

}  // namespace sassafras::sim
