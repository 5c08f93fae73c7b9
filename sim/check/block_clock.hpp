// What of a block happens before what: vector clocks of its warps, and of the lanes of a warp where these do not all
// meet.
//
// Time is a count that grows at every synchronisation of the block. An access carries the time at which it was made,
// its stamp. It is ordered before a later one of another thread if that thread has since learnt of its time: at a
// barrier, through __syncwarp, or by reading an atomic that was written behind a fence (FastTrack: Flanagan and Freund,
// PLDI 2009). That lanes of a warp run together orders nothing, as for compute-sanitizer's racecheck.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/types.hpp"
#include "sim/check/grid_clock.hpp"

namespace sassafras::sim {

class BlockClock {
  public:
    static constexpr std::uint32_t most_warps = 32;

    void start(std::uint32_t warps);

    [[nodiscard]] std::uint32_t now() const { return now_; }
    /// Every access stamped earlier is ordered before all that any thread of the block does now.
    [[nodiscard]] std::uint32_t all_before() const { return all_before_; }

    /// Whether an access of thread `earlier`, stamped `stamp`, is ordered before what thread `later` does now.
    [[nodiscard]] bool is_ordered(std::uint32_t stamp, std::uint32_t earlier, std::uint32_t later) const;

    /// The lanes of a warp meet.
    void synchronise_lanes(std::uint32_t warp, std::uint32_t lanes);

    /// A warp comes to a named barrier; what it has done counts for those that the barrier lets go.
    void arrive(std::uint32_t warp, std::uint32_t barrier, bool waits);
    /// The barrier lets go those that wait. A barrier of the whole block orders everything.
    void complete(std::uint32_t barrier, bool whole_block);

    /// A fence of the warp: what it knows is published by its next atomics and strong stores. `of_device`: to other
    /// blocks too.
    void fence(std::uint32_t warp, bool of_device);
    /// The warp writes `location` so that others may learn from it.
    void release(std::uint32_t warp, std::uint64_t location);
    /// As release(), of all that the warp has done so far: arriving at a barrier in memory needs no fence.
    void release_all(std::uint32_t warp, std::uint64_t location);
    /// Lanes of the warp read it.
    void acquire(std::uint32_t warp, std::uint32_t lanes, std::uint64_t location);

    [[nodiscard]] bool has_fenced(std::uint32_t warp) const { return warps_[warp].fence != 0; }
    [[nodiscard]] bool has_published() const { return !published_.empty(); }
    /// Time of the warp's last fence of the device, or of one that it knows of; 0: none.
    [[nodiscard]] std::uint32_t device_fence(std::uint32_t warp) const { return warps_[warp].device_fence; }

    /// Everything done so far gets a stamp below the time that is returned.
    std::uint32_t advance() { return ++now_; }

    /// How far the warp has learnt from other blocks, in the grid's time.
    [[nodiscard]] const GridTime& horizon(std::uint32_t warp) const { return warps_[warp].horizon; }
    void learn(std::uint32_t warp, const GridTime& grid_time) { warps_[warp].horizon.join(grid_time); }

  private:
    using Known = std::array<std::uint32_t, most_warps>;  ///< by warp: accesses stamped earlier are known
    struct WarpClock {
        Known known{};
        std::uint32_t lanes_before = 0;  ///< accesses of this warp stamped earlier are known to all its lanes
        std::uint32_t fence = 0;
        std::uint32_t device_fence = 0;
        GridTime horizon;
        std::vector<std::uint32_t> lanes;  ///< [lane][other lane], once some have met without the rest
    };
    /// What warps pass on to one another.
    struct Message {
        Known known{};
        std::uint32_t fence = 0;
        std::uint32_t device_fence = 0;
        GridTime horizon;
    };
    struct Meeting {
        Message message;
        std::uint32_t waiting = 0;  ///< warps
    };

    static void join(Known& to, const Known& from);
    /// All but what the warp itself has done, which is known up to `own`.
    static void tell(Message& message, const WarpClock& clock, std::uint32_t warp, std::uint32_t own);
    static void learn(WarpClock& clock, const Message& message);
    std::vector<std::uint32_t>& lane_rows(WarpClock& warp) const;

    std::uint32_t now_ = 1;
    std::uint32_t all_before_ = 1;
    std::uint32_t warp_count_ = 0;
    std::vector<WarpClock> warps_;
    std::array<Meeting, 16> meetings_{};
    std::unordered_map<std::uint64_t, Message> published_;  ///< by location
};

}  // namespace sassafras::sim
