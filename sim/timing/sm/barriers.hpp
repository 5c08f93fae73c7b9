// Barriers of blocks: who has arrived, who waits, when all may go on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace sassafras::sim {

/// The barriers of one block. Warps are numbered in their block.
class BlockBarriers {
  public:
    static constexpr std::size_t count = 16;  ///< that a block has (PTX ISA, bar)

    /// `warps`: how many are expected, 0 for all of the block that are live; `waits`: false for those that only arrive.
    void arrive(std::size_t number, std::uint32_t warps, std::uint32_t warp, bool waits) {
        arrived_[number] += 1;
        expected_[number] = warps;
        if (waits) waiting_[number] |= std::uint64_t{1} << warp;
    }
    /// A warp of which part had gone on arrives with the rest; nobody of it waits.
    void complete_arrival(std::size_t number) { arrived_[number] += 1; }

    /// If all have arrived, `live` warps being those of the block that have not ended: the barrier is as new, and the
    /// warps that waited, one bit each, go on. Else 0.
    std::uint64_t release(std::size_t number, std::uint32_t live) {
        if (arrived_[number] == 0) return 0;
        const std::uint32_t expected = expected_[number] == 0 ? live : expected_[number];
        if (arrived_[number] < expected) return 0;
        const std::uint64_t waiting = waiting_[number];
        arrived_[number] = 0;
        waiting_[number] = 0;
        return waiting;
    }
    /// An ended warp is not waited for.
    [[nodiscard]] bool expects_all(std::size_t number) const { return expected_[number] == 0; }

  private:
    std::array<std::uint32_t, count> arrived_{};
    std::array<std::uint32_t, count> expected_{};
    std::array<std::uint64_t, count> waiting_{};
};

/// Arrivals of an SM at all its barriers are taken one at a time (microbenchmark bar_chain).
class BarrierArrivals {
  public:
    explicit BarrierArrivals(std::uint32_t interval_cycles) : interval_(interval_cycles) {}

    /// The cycle at which an arrival of `now` is taken.
    std::uint64_t take(std::uint64_t now) {
        const std::uint64_t taken = std::max(now, free_);
        free_ = taken + interval_;
        return taken;
    }
    /// The cycle at which the last of them is known.
    [[nodiscard]] std::uint64_t known() const { return free_; }

  private:
    std::uint32_t interval_;
    std::uint64_t free_ = 0;
};

}  // namespace sassafras::sim
