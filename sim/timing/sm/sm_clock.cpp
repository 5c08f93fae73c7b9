// What has to do with time that a program sees: clocks that it reads, sleeps, and execution on demand behind them.
#include <algorithm>

#include "sim/timing/sm/sleep_timer.hpp"
#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

void Sm::clock_answered(Warp& warp, std::uint64_t now) {
    Block& block = blocks_[warp.block];
    if (warp.sleeping_lanes != 0 && warp.sleep_end <= now) tell_timer(warp);
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
        if (&warps_[other] != &warp && warps_[other].live && warps_[other].started <= now && has_news(warps_[other]))
            feed(other, now);
    }
}

/// The warp issues the contended instruction that its trace ends with: what it does is done now. False if it failed.
bool Sm::take_turn(Warp& warp, std::uint64_t now) {
    warp.trace->take_turn();
    execute_on(warp, now);
    return failure_ == nullptr;
}

/// Execution has something for a warp that ran out: instructions, or that it sleeps.
bool Sm::has_news(const Warp& warp) {
    return warp.starved &&
           (warp.trace->has_segment() || (!warp.asleep && warp.trace->state == WarpTrace::State::sleeping));
}

void Sm::tell_timer(Warp& warp) {
    if (!warp.timer_told) warp.trace->wake(warp.sleeping_lanes);
    warp.timer_told = true;
}

void Sm::end_sleep(Warp& warp) {
    tell_timer(warp);
    warp.timer_told = false;
    warp.sleeping_lanes = 0;
    warp.sleep_end = never;
}

/// NANOSLEEP is issued for the lanes of the segment. The timer keeps the earliest end of those that sleep.
void Sm::lie_down(Warp& warp, std::uint64_t nanoseconds, std::uint64_t now) {
    if (warp.sleeping_lanes != 0 && (warp.timer_told || warp.sleep_end <= now)) end_sleep(warp);
    warp.sleep_end = std::min(warp.sleep_end, end_of_sleep(platform_, context_.nanoseconds_begin, nanoseconds, now));
    warp.sleeping_lanes |= warp.mask;
}

/// Lanes that slept go on when the timer has gone off; others of the warp need not wait for that.
void Sm::take_sleep(Warp& warp) {
    if ((warp.sleeping_lanes & warp.mask) == 0) return;
    if (warp.sleep_end > warp.ready_at) {
        warp.ready_at = warp.sleep_end;
        warp.held_by = Stall::sleeping;
    }
    end_sleep(warp);
}

/// What follows is executed when the sleep ends: it may see what others write until then.
void Sm::fall_asleep(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    require_invariant(context_.on_demand, "a warp sleeps in a kernel that cannot");
    warp.asleep = true;
    if (const std::uint32_t before = warp.pc; before + 1 < context_.ops->size()) {
        warp.pc = before + 1;  // where it goes on, nearly always: that is fetched meanwhile
        await_code(slot, before, now);
    }
    // feed() lets a warp issue a cycle later at the earliest.
    const std::uint64_t end = warp.sleeping_lanes == 0 ? warp.ready_at : std::max(warp.ready_at, warp.sleep_end);
    events_.push(std::max(end - 1, now + 1),
                 {.kind = Event::Kind::timer, .warp = slot, .token = ++warp.sleeps, .age = warp.age});
}

void Sm::timer_went_off(const Event& event, std::uint64_t now) {
    Warp& warp = warps_[event.warp];
    // Lanes that wait at a barrier of the block may have gone on before.
    if (!warp.live || warp.age != event.age || !warp.asleep || warp.sleeps != event.token) return;
    warp.asleep = false;
    warp.trace->wake(~std::uint32_t{0});  // nothing else of it can run
    warp.timer_told = true;
    execute_on(warp, now);
    feed(event.warp, now);
}

}  // namespace sassafras::sim
