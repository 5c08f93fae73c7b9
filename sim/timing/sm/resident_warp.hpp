// What an SM keeps of a warp from its start to its end.
#pragma once

#include <array>
#include <cstdint>

#include "sim/metrics/stall.hpp"
#include "sim/timing/sm/kept_lanes.hpp"
#include "sim/timing/timing_op.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

/// A warp's counters of results that are not there yet, which its code names (Volta and later).
class Scoreboards {
  public:
    static constexpr std::uint8_t count = 6;
    /// In place of a number: an instruction without one.
    static constexpr std::uint8_t none = 7;

    /// `is_long`: it waits for L1 or beyond.
    void hold(std::uint8_t number, bool is_long) {
        const auto bit = static_cast<std::uint8_t>(1U << number);
        ++counts_[number];
        pending_ = static_cast<std::uint8_t>(pending_ | bit);
        if (is_long) long_ = static_cast<std::uint8_t>(long_ | bit);
    }
    /// True if nothing is outstanding any more; `kind` then says what for it stood.
    bool release(std::uint8_t number, Stall& kind) {
        if (--counts_[number] != 0) return false;
        const auto bit = static_cast<std::uint8_t>(1U << number);
        kind = (long_ & bit) != 0 ? Stall::long_scoreboard : Stall::short_scoreboard;
        pending_ = static_cast<std::uint8_t>(pending_ & ~bit);
        long_ = static_cast<std::uint8_t>(long_ & ~bit);
        return true;
    }
    /// A bit for each that is not zero.
    [[nodiscard]] std::uint8_t pending() const { return pending_; }
    [[nodiscard]] std::uint8_t outstanding(std::uint8_t number) const { return counts_[number]; }

  private:
    std::array<std::uint8_t, count> counts_{};
    std::uint8_t pending_ = 0;
    std::uint8_t long_ = 0;
};

/// Where a warp is that has come to a barrier which has not let go yet.
enum class BarrierWait : std::uint8_t {
    none,    ///< there is no such barrier
    before,  ///< it goes on behind it
    behind,  ///< it has come to an instruction behind it that waits
    at,      ///< at the barrier itself, which does not defer
};

struct ResidentWarp {
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    std::uint64_t stall_end = 0;  ///< last issue plus its stall count
    std::uint64_t ready_at = 0;   ///< the stall count and the fetch allow the next issue
    std::uint64_t last_issue = 0;
    std::uint64_t resolved_at = 0;       ///< until then ready_at stands for a branch
    std::uint64_t next_line_at = 0;      ///< when it has the line of code behind the one that it jumped to
    std::uint64_t scoreboard_clear = 0;  ///< when the last scoreboard it waited for cleared
    std::uint64_t started = 0;
    std::uint64_t drained_at = 0;     ///< when its stores have been read and its constants are there
    std::uint64_t age = 0;            ///< order of start
    std::uint64_t sleep_end = never;  ///< when all `sleeping_lanes` wake: a warp has one timer
    WarpTrace* trace = nullptr;
    std::array<std::uint64_t, max_awaited_products>
        products{};  ///< when its last wide products issued, the latest first
    std::uint32_t pc = 0;
    std::uint32_t left = 0;  ///< instructions left in the segment
    std::uint32_t mask = 0;  ///< lanes of the segment
    std::uint32_t sleeping_lanes = 0;
    KeptLanes kept;
    bool sought = false;       ///< the lanes of the segment had to be, and that has not been paid for
    std::uint32_t sleeps = 0;  ///< times that the whole warp fell asleep
    bool timer_told = false;   ///< execution knows that the timer of `sleeping_lanes` has gone off
    Scoreboards scoreboards;
    Stall cleared_kind = Stall::short_scoreboard;
    Stall held_by = Stall::wait;  ///< what ready_at stands for beyond the stall count
    std::uint32_t partly_at = 0;  ///< past a barrier at which only part of the warp has arrived; 0: none
    std::uint8_t partly_number = 0;
    std::uint32_t unacknowledged = 0;  ///< stores that L2 has not taken yet, in kernels that wait for that
    bool at_membar = false;            ///< waits for them
    BarrierWait barrier_wait = BarrierWait::none;
    std::uint8_t barrier_stall = 0;  ///< cycles more that it takes to let go
    std::uint64_t barrier_end = 0;   ///< when what waits behind the last barrier that let go may issue
    std::uint16_t block = 0;
    std::uint16_t index = 0;  ///< in its block
    // These follow from the slot; they are kept because every issue wants them, and would divide for them.
    std::uint8_t subcore = 0;
    std::uint8_t in_subcore = 0;  ///< its number there
    bool live = false;
    bool starved = false;   ///< no instruction in the trace yet
    bool draining = false;  ///< has exited, and waits for drained_at
    bool asleep = false;    ///< starved, and execution waits for the end of a sleep
};

/// Which warp something is meant for: its slot may have been given to another meanwhile, which is younger.
struct WarpName {
    std::uint16_t slot = 0;
    std::uint64_t age = 0;
};

}  // namespace sassafras::sim
