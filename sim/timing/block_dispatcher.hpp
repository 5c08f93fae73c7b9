// Gives blocks to SMs: the first wave breadth-first, then one block for each that ends. GPU-wide, between two rounds of
// the SMs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/dealt_sms.hpp"
#include "sim/timing/memory/sm_placement.hpp"
#include "sim/timing/occupancy.hpp"

namespace sassafras::sim {

struct Dispatch {
    std::uint64_t block = 0;
    std::uint32_t sm = 0;
    std::uint64_t start = 0;  ///< cycle of its first instruction
};

class BlockDispatcher {
  public:
    BlockDispatcher(const Platform& platform, const Occupancy& occupancy, std::uint64_t blocks)
        : gpu_(platform.gpu), placement_(platform), occupancy_(occupancy), blocks_(blocks) {}

    /// Fills empty SMs, one block each in turn until they are full or no block is left. Of fewer blocks than SMs each
    /// GPC gets as many (dealt_sms.hpp).
    [[nodiscard]] std::vector<Dispatch> first_wave() {
        std::vector<Dispatch> result;
        const double interval = 1.0 / gpu_.first_wave_blocks_per_cycle;
        for (std::uint32_t round = 0; round < occupancy_.blocks; ++round) {
            // Of a launch of fewer blocks SMs are numbered as they are dealt (sm_placement.hpp).
            const std::uint64_t dealt = round == 0 ? gpu_.sm_count : blocks_ - next_;
            for (const std::uint32_t sm : dealt_sms(placement_.gpc_by_sm(), gpu_.first_sms, dealt)) {
                if (next_ == blocks_) break;
                const double start = gpu_.launch_overhead_cycles + static_cast<double>(next_) * interval;
                result.push_back({.block = next_++, .sm = sm, .start = static_cast<std::uint64_t>(start) + 1});
            }
        }
        return result;
    }

    /// A block of `sm` ended at `time`. Calls come in order of time (ties in order of SM). The GPU notes one end after
    /// the other, which bounds the rate of short blocks (13,200 null blocks on an H200: 1.2 cycles each). True if
    /// `dispatch` holds a block that follows.
    [[nodiscard]] bool complete(std::uint32_t sm, std::uint64_t time, Dispatch& dispatch) {
        noted_ = std::max(noted_ + 1.0 / gpu_.completed_blocks_per_cycle, static_cast<double>(time));
        if (next_ == blocks_) return false;
        dispatch = {
            .block = next_++, .sm = sm, .start = static_cast<std::uint64_t>(noted_) + gpu_.block_start_latency_cycles};
        return true;
    }
    /// The next block to be dispatched is the one behind this.
    void go_on_behind(std::uint64_t block) { next_ = block + 1; }
    /// When the last end so far was noted.
    [[nodiscard]] std::uint64_t noted() const { return static_cast<std::uint64_t>(noted_); }

  private:
    GpuParameters gpu_;
    SmPlacement placement_;
    Occupancy occupancy_;
    std::uint64_t blocks_ = 0;
    std::uint64_t next_ = 0;
    double noted_ = 0;
};

}  // namespace sassafras::sim
