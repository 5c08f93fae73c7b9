// What has to do with time that a program sees: clocks that it reads, sleeps, and execution on demand behind them.
#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

namespace {
/// PTX ISA, nanosleep: the longest sleep, 1 ms; an H200 takes it for 2^20 ns.
constexpr std::uint64_t longest_sleep = (std::uint64_t{1} << 20U) - 1;
}  // namespace

/// A sleep of t ns ends when the global timer next comes to a multiple of the power of two above t: after up to 2 t,
/// and for all warps of the GPU at the same ticks (validate/hardware/probes/sleep.cu on an H200).
std::uint64_t Sm::end_of_sleep(std::uint64_t nanoseconds, std::uint64_t now) const {
    const std::uint64_t above = std::bit_floor(std::clamp<std::uint64_t>(nanoseconds, 1, longest_sleep)) * 2;
    const auto period =
        static_cast<double>(std::max<std::uint64_t>(above, std::bit_ceil(platform_.clock.global_timer_step_ns)));
    const double cycles_a_nanosecond = platform_.clock.sm_mhz / 1000.0;
    const double timer = context_.nanoseconds_begin + static_cast<double>(now) / cycles_a_nanosecond;
    const double wait = (std::floor(timer / period) + 1) * period - timer;
    const std::uint64_t tick = now + static_cast<std::uint64_t>(std::ceil(wait * cycles_a_nanosecond));
    return std::max(tick + platform_.sm.sleep_wake_cycles, now + platform_.sm.sleep_least_cycles);
}

void Sm::clock_answered(Warp& warp, std::uint64_t now) {
    Block& block = blocks_[warp.block];
    if (warp.sleeping_lanes != 0 && warp.sleep_end <= now) warp.trace->wake();
    const double nanoseconds = static_cast<double>(now) * 1000.0 / platform_.clock.sm_mhz;
    context_.source->provide_clock(*block.trace, warp.index, Cycle{now}, static_cast<std::uint64_t>(nanoseconds));
    execute_on(warp, now);
}

/// Execution on demand, for a warp that had to wait for a time.
void Sm::execute_on(Warp& warp, std::uint64_t now) {
    Block& block = blocks_[warp.block];
    const Result<void> advanced = context_.source->advance(*block.trace, context_.run_ahead);
    if (!advanced && !failure_) failure_ = std::make_unique<Error>(advanced.error());
    // Warps of the block that waited for this one in execution may go on.
    for (const std::uint16_t other : block.warps) {
        if (&warps_[other] != &warp && warps_[other].live && warps_[other].starved && !warps_[other].asleep &&
            warps_[other].started <= now && warps_[other].trace->has_segment())
            feed(other, now);
    }
}

/// Lanes that slept go on when the timer has gone off; others of the warp need not wait for that.
void Sm::take_sleep(Warp& warp) const {
    if ((warp.sleeping_lanes & warp.mask) == 0) return;
    if (warp.sleep_end > warp.ready_at) {
        warp.ready_at = warp.sleep_end;
        warp.held_by = Stall::sleeping;
    }
    warp.sleeping_lanes = 0;
    warp.sleep_end = never;
}

/// What follows is executed when the sleep ends: it may see what others write until then.
void Sm::fall_asleep(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    require_invariant(context_.on_demand && warp.sleep_end != never, "a warp sleeps that no NANOSLEEP sent to sleep");
    warp.asleep = true;
    if (const std::uint32_t before = warp.pc; before + 1 < context_.ops->size()) {
        warp.pc = before + 1;  // where it goes on, nearly always: that is fetched meanwhile
        await_code(slot, before, now);
    }
    // feed() lets a warp issue a cycle later at the earliest.
    events_.push(std::max(std::max(warp.ready_at, warp.sleep_end) - 1, now + 1),
                 {.kind = Event::Kind::wake, .warp = slot});
}

void Sm::wake_up(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    warp.asleep = false;
    warp.trace->wake();
    execute_on(warp, now);
}

}  // namespace sassafras::sim
