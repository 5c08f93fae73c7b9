// Block barriers, memory barriers and the end of warps.
#include <algorithm>
#include <bit>

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
    // Arrivals of an SM are taken one at a time (microbenchmark bar_chain: two cycles a warp).
    const std::uint64_t arrival = std::max(now, barrier_free_);
    barrier_free_ = arrival + platform_.sm.barrier_arrival_interval_cycles;
    block.arrived[number] += 1;
    block.expected[number] = (threads + warp_size - 1) / warp_size;
    result_at(slot, op, arrival + platform_.sm.barrier_latency_cycles);
    if (op.barrier_waits) {
        block.waiting[number] |= std::uint64_t{1} << warp.index;
    } else {
        advance_pc(slot, now);
    }
    release_barrier_if_complete(block, number, barrier_free_);
}

void Sm::release_barrier_if_complete(Block& block, std::size_t number, std::uint64_t time) {
    if (block.arrived[number] == 0) return;
    const std::uint32_t expected = block.expected[number] == 0 ? block.live : block.expected[number];
    if (block.arrived[number] < expected) return;
    std::uint64_t waiting = block.waiting[number];
    block.arrived[number] = 0;
    block.waiting[number] = 0;
    for (; waiting != 0; waiting &= waiting - 1) {
        const std::uint16_t slot = block.warps[static_cast<std::size_t>(std::countr_zero(waiting))];
        Warp& warp = warps_[slot];
        // The barrier's stall count begins when it lets go (validate/records/h200/probes/barrier_stall.cu).
        warp.ready_at =
            std::max(warp.ready_at, time + platform_.sm.barrier_latency_cycles + std::uint64_t{ops_[warp.pc].stall});
        warp.held_by = Stall::barrier;
        advance_pc(slot, now_);
    }
}

void Sm::membar(std::uint16_t slot, const TimingOp& op, std::uint64_t now) {
    Warp& warp = warps_[slot];
    if (op.write_barrier < 6) hold(warp, op.write_barrier, true);
    warp.at_membar = true;
    if (warp.unacknowledged == 0) pass_membar(slot, now);
}

void Sm::pass_membar(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    warp.at_membar = false;
    warp.ready_at = std::max(warp.ready_at, now + platform_.lsu.membar_latency_cycles);
    warp.held_by = Stall::membar;
    if (const std::uint8_t scoreboard = ops_[warp.pc].write_barrier; scoreboard < 6)
        release_later(slot, scoreboard, warp.ready_at, Event::Kind::release_write);
    advance_pc(slot, now);
}

/// L2 has taken a line of a store.
void Sm::acknowledge(std::uint32_t token, std::uint64_t now) {
    const LoadOperation store = loads_[token];
    if (--loads_[token].outstanding != 0) return;
    free_loads_.push_back(token);
    Warp& warp = warps_[store.warp];
    if (!warp.live || warp.age != store.age) return;
    if (--warp.unacknowledged == 0 && warp.at_membar) pass_membar(store.warp, now);
}

void Sm::exit_warp(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    Block& block = blocks_[warp.block];
    warp.live = false;
    warp.starved = false;
    counters_["sm__warps_active.sum"_metric] += now - warp.started;
    --live_warps_;
    --block.live;
    if (cores_[slot % subcores_].greedy == slot) cores_[slot % subcores_].greedy = 0xffff;
    if (block.live == 0) {
        completions_.push_back({.time = now, .trace = block.trace});
        resident_.erase(std::find(resident_.begin(), resident_.end(), block.trace));
        block.trace = nullptr;
    } else {
        // Warps that have exited are not waited for.
        for (std::size_t number = 0; number < block.arrived.size(); ++number)
            if (block.expected[number] == 0) release_barrier_if_complete(block, number, now);
    }
    if (live_warps_ == 0) counters_["sm__cycles_active.sum"_metric] += now - active_since_;
}

}  // namespace sassafras::sim
