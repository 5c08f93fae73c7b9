// Block barriers, memory barriers and the end of warps.
#include <algorithm>
#include <bit>
#include <utility>

#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

void Sm::barrier(std::uint16_t slot, const TimingOp& op, std::uint64_t now) {
    Warp& warp = warps_[slot];
    Block& block = blocks_[warp.block];
    const std::uint64_t value = warp.trace->pop_value();
    if (value == WarpTrace::predicated_off) {
        advance_pc(slot, now);
        return;
    }
    const std::size_t number = value & 0xfU;
    if ((value & WarpTrace::barrier_partly) != 0) {
        // Other lanes of the warp run on and arrive later, or exit; the warp counts then.
        warp.partly_at = warp.pc + 1;
        warp.partly_number = static_cast<std::uint8_t>(number);
        advance_pc(slot, now);
        return;
    }
    warp.partly_at = 0;
    const auto threads = static_cast<std::uint32_t>(value >> 8U & 0xfffU);
    const std::uint64_t arrival = arrivals_.take(now);
    block.barriers.arrive(number, (threads + warp_size - 1) / warp_size, warp.index, op.barrier_waits);
    result_at(slot, op, arrival + platform_.sm.barrier_latency_cycles);
    if (op.barrier_waits) {
        warp.barrier_wait = op.defers ? BarrierWait::before : BarrierWait::at;
        // The stall count of one that does not defer begins when it lets go.
        warp.barrier_stall = op.defers ? 0 : op.stall;
    }
    if (!op.barrier_waits || op.defers) advance_pc(slot, now);
    release_barrier_if_complete(block, number, arrivals_.known());
}

void Sm::release_barrier_if_complete(Block& block, std::size_t number, std::uint64_t time) {
    for (std::uint64_t waiting = block.barriers.release(number, block.live); waiting != 0; waiting &= waiting - 1) {
        const std::uint16_t slot = block.warps[static_cast<std::size_t>(std::countr_zero(waiting))];
        Warp& warp = warps_[slot];
        warp.barrier_end = time + platform_.sm.barrier_latency_cycles + std::uint64_t{warp.barrier_stall};
        const BarrierWait waited = std::exchange(warp.barrier_wait, BarrierWait::none);
        if (waited == BarrierWait::before) continue;
        warp.ready_at = std::max(warp.ready_at, warp.barrier_end);
        warp.held_by = Stall::barrier;
        if (waited == BarrierWait::at)
            advance_pc(slot, now_);
        else
            schedule_wake(slot, warp.ready_at);
    }
}

bool Sm::held_by_barrier(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    if (warp.barrier_wait != BarrierWait::none) {
        warp.barrier_wait = BarrierWait::behind;
        return true;
    }
    if (warp.barrier_end <= now) return false;
    warp.ready_at = warp.barrier_end;
    warp.held_by = Stall::barrier;
    schedule_wake(slot, warp.barrier_end);
    return true;
}

void Sm::membar(std::uint16_t slot, const TimingOp& op, std::uint64_t now) {
    Warp& warp = warps_[slot];
    if (op.write_barrier < Scoreboards::count) warp.scoreboards.hold(op.write_barrier, true);
    warp.at_membar = true;
    if (warp.unacknowledged == 0) pass_membar(slot, now);
}

void Sm::pass_membar(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    warp.at_membar = false;
    warp.ready_at = std::max(warp.ready_at, now + platform_.lsu.membar_latency_cycles);
    warp.held_by = Stall::membar;
    if (const std::uint8_t scoreboard = ops_[warp.pc].write_barrier; scoreboard < Scoreboards::count)
        release_later(slot, scoreboard, warp.ready_at, Event::Kind::release_write);
    advance_pc(slot, now);
}

/// L2 has taken a line of a store.
void Sm::acknowledge(std::uint32_t token, std::uint64_t now) {
    WarpName name;
    if (!memory_.acknowledged(token, name) || !is_there(name)) return;
    Warp& warp = warps_[name.slot];
    if (--warp.unacknowledged == 0 && warp.at_membar) pass_membar(name.slot, now);
}

void Sm::drain_warp(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    if (warp.draining) return;
    if (warp.drained_at <= now) {
        end_warp(slot, now);
        return;
    }
    warp.draining = true;
    stalls_[warp.pc][index_of(Stall::drain)] += warp.drained_at - now;
    events_.push(warp.drained_at, {.kind = Event::Kind::drained, .warp = slot});
}

void Sm::end_warp(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    Block& block = blocks_[warp.block];
    warp.live = false;
    warp.starved = false;
    memory_.counters()["sm__warps_active.sum"_metric] += now - warp.started;
    --live_warps_;
    --block.live;
    core_of(slot).end(number_in_core(slot), now);
    if (block.live == 0) {
        completions_.push_back({.time = now, .trace = block.trace});
        resident_.erase(std::find(resident_.begin(), resident_.end(), block.trace));
        block.trace = nullptr;
    } else {
        // Warps that have exited are not waited for.
        for (std::size_t number = 0; number < BlockBarriers::count; ++number)
            if (block.barriers.expects_all(number)) release_barrier_if_complete(block, number, now);
    }
    if (live_warps_ == 0) memory_.counters()["sm__cycles_active.sum"_metric] += now - active_since_;
}

}  // namespace sassafras::sim
