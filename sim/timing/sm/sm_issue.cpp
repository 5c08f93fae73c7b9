// Warp selection and issue: greedy, then youngest (Huerta et al., MICRO 2025, section 5.1).
#include <algorithm>
#include <bit>

#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

void Sm::try_issue(std::uint32_t core_number, std::uint64_t now) {
    SubCore& core = cores_[core_number];
    // Stalls that end now. Every cycle with a wake bit is looked at, so no older bit can be left.
    if ((core.wake_bits >> (now % 64) & 1U) != 0) {
        std::uint32_t woken = core.wake[now % 64];
        core.wake[now % 64] = 0;
        core.wake_bits &= ~(std::uint64_t{1} << (now % 64));
        for (; woken != 0; woken &= woken - 1)
            becomes_ready(static_cast<std::uint16_t>(static_cast<std::uint32_t>(std::countr_zero(woken)) * subcores_ +
                                                     core_number),
                          now);
    }
    std::uint64_t retry = never;
    if (core.dispatch_free > now) {
        retry = core.candidates != 0 ? core.dispatch_free : never;
    } else if (core.candidates != 0) {
        const auto can_issue = [&](std::uint16_t slot) {
            const TimingOp& op = ops_[warps_[slot].pc];
            std::uint64_t free = core.unit_free[static_cast<std::size_t>(op.unit)];
            if (op.unit == Unit::memory) free = std::max(free, core.queue[core.queue_at]);
            if (free <= now) return true;
            retry = std::min(retry, free);
            return false;
        };
        std::uint16_t chosen = 0xffff;
        if (core.greedy != 0xffff && (core.candidates >> (core.greedy / subcores_) & 1U) != 0 &&
            can_issue(core.greedy)) {
            chosen = core.greedy;
        } else {
            std::uint64_t youngest = 0;
            for (std::uint32_t rest = core.candidates; rest != 0; rest &= rest - 1) {
                const auto slot = static_cast<std::uint16_t>(
                    static_cast<std::uint32_t>(std::countr_zero(rest)) * subcores_ + core_number);
                if (slot == core.greedy || (chosen != 0xffff && warps_[slot].age < youngest) || !can_issue(slot))
                    continue;
                chosen = slot;
                youngest = warps_[slot].age;
            }
        }
        if (chosen != 0xffff) {
            core.candidates &= ~(1U << (chosen / subcores_));
            issue(core_number, chosen, now);
            retry = core.candidates != 0 ? std::max(now + 1, core.dispatch_free) : never;
        }
    }
    // The next stall that ends, or the next chance of a candidate.
    std::uint64_t next = retry;
    if (core.wake_bits != 0) {
        const std::uint64_t turned = std::rotr(core.wake_bits, static_cast<int>((now + 1) % 64));
        next = std::min(next, now + 1 + static_cast<std::uint64_t>(std::countr_zero(turned)));
    }
    core.next = next;
}

void Sm::account(const Warp& warp, const SubCore& core, const TimingOp& op, std::uint64_t now) {
    auto& row = stalls_[warp.pc];
    const auto add = [&row](Stall reason, std::uint64_t cycles) { row[static_cast<std::size_t>(reason)] += cycles; };
    add(Stall::selected, 1);
    if (warp.stall_end > warp.last_issue + 1) add(Stall::wait, warp.stall_end - warp.last_issue - 1);
    std::uint64_t from = std::max(warp.stall_end, warp.last_issue + 1);
    if (warp.ready_at > from) {
        add(warp.held_by, warp.ready_at - from);
        from = warp.ready_at;
    }
    if (warp.scoreboard_clear > from) {
        add(warp.cleared_kind, std::min(warp.scoreboard_clear, now) - from);
        from = std::min(warp.scoreboard_clear, now);
    }
    if (now <= from) return;
    if (op.unit == Unit::memory && core.queue[core.queue_at] == now) {
        // Nsight Compute's lg: local and global memory.
        const bool is_lg = op.action == Action::memory && op.site.space != MemorySpace::shared;
        add(is_lg ? Stall::lg_throttle : Stall::mio_throttle, now - from);
    } else if (op.unit != Unit::none && core.unit_free[static_cast<std::size_t>(op.unit)] == now) {
        add(op.unit == Unit::memory ? Stall::mio_throttle : Stall::math_pipe_throttle, now - from);
    } else if (core.ports_busy && core.dispatch_free == now) {
        add(Stall::dispatch_stall, now - from);
    } else {
        add(Stall::not_selected, now - from);
    }
}

void Sm::issue(std::uint32_t core_number, std::uint16_t slot, std::uint64_t now) {
    SubCore& core = cores_[core_number];
    Warp& warp = warps_[slot];
    const TimingOp& op = ops_[warp.pc];
    account(warp, core, op, now);

    // Sources that the previous instruction left in the reuse cache need no read port.
    const bool reuse = core.greedy == slot && core.last_pc + 1 == warp.pc;
    const auto& reads = reuse ? op.reads_reuse : op.reads;
    core.dispatch_free = now + 1;
    for (std::size_t bank = 0; bank < platform_.sm.register_banks; ++bank) {
        if (reads[bank] == 0) continue;
        core.bank_free[bank] = std::max(core.bank_free[bank], now) +
                               (reads[bank] + platform_.sm.register_bank_ports - 1) / platform_.sm.register_bank_ports;
        // What does not fit into the window holds up the instructions behind.
        if (core.bank_free[bank] > now + platform_.sm.read_window_cycles)
            core.dispatch_free =
                std::max(core.dispatch_free, core.bank_free[bank] - platform_.sm.read_window_cycles + 1);
    }
    core.ports_busy = core.dispatch_free > now + 1;
    core.greedy = slot;
    core.last_pc = warp.pc;
    core.unit_free[static_cast<std::size_t>(op.unit)] = op.unit == Unit::none ? 0 : now + op.interval;

    warp.last_issue = now;
    warp.stall_end = now + op.stall;
    warp.ready_at = warp.stall_end;
    warp.scoreboard_clear = 0;
    warp.held_by = Stall::wait;

    switch (op.action) {
        case Action::plain:
        case Action::exit:
        case Action::depbar:
            result_at(slot, op, now + op.latency);
            if (op.read_barrier < 6) {
                hold(warp, op.read_barrier, false);
                release_later(slot, op.read_barrier, now + platform_.lsu.store_read_latency_cycles,
                              Event::Kind::release_read);
            }
            break;
        case Action::clock_read:
        case Action::special_register:
        case Action::uniform_constant: result_at(slot, op, now + op.latency); break;
        case Action::nanosleep: {
            const std::uint64_t nanoseconds = warp.trace->pop_value();
            if (nanoseconds != WarpTrace::predicated_off) lie_down(warp, nanoseconds, now);
            break;
        }
        case Action::barrier:
        case Action::membar: break;
        case Action::copies_barrier: close_copies(slot, op, now); break;
        default: memory_instruction(core_number, slot, op, now); break;
    }
    if (op.action == Action::membar)
        membar(slot, op, now);
    else if (op.action == Action::barrier)
        barrier(slot, op, now);
    else
        advance_pc(slot, now);
}

bool Sm::next_segment(Warp& warp) {
    if (!warp.trace->has_segment()) return false;
    const Segment segment = warp.trace->pop_segment();
    instruction_counters_.add_segment(segment);
    warp.pc = segment.first;
    warp.left = segment.count;
    warp.mask = segment.mask;
    warp.starved = warp.asleep = false;
    if (warp.partly_at != 0 && warp.pc == warp.partly_at) {
        // The lanes that were still to come have exited: the warp goes on past the barrier, so it counts now.
        warp.partly_at = 0;
        Block& block = blocks_[warp.block];
        block.arrived[warp.partly_number] += 1;
        release_barrier_if_complete(block, warp.partly_number, now_);
    }
    return true;
}

/// Gives a warp without instructions its next ones.
void Sm::feed(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const std::uint32_t before = warp.pc;
    if (!next_segment(warp)) {
        if (warp.trace->state == WarpTrace::State::exited) exit_warp(slot, now);
        if (warp.trace->state == WarpTrace::State::sleeping && !warp.asleep) fall_asleep(slot, now);
        return;
    }
    warp.ready_at = std::max(warp.ready_at, now);
    if (warp.sleeping_lanes != 0) take_sleep(warp);
    await_code(slot, warp.last_issue == warp.started ? from_the_start : before, now);
    schedule_wake(slot, std::max(warp.ready_at, now + 1));
}

/// The line of code that a warp comes to from instruction `before`, and the constant that its next instruction reads,
/// must be there.
void Sm::await_code(std::uint16_t slot, std::uint32_t before, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const std::uint32_t per_line = platform_.fetch.line_bytes / isa::instruction_bytes;
    if (before == from_the_start || warp.pc / per_line != before / per_line) {
        const std::uint64_t fetched = fetch_.instruction(slot % subcores_, warp.pc / per_line, now);
        if (fetched > warp.ready_at) {
            warp.ready_at = fetched;
            warp.held_by = Stall::no_instruction;
        }
    }
    const TimingOp& op = ops_[warp.pc];
    if (op.constant_line != 0 && op.action != Action::constant_load) {
        const std::uint64_t there = fetch_.constant(op.constant_line, now);
        if (there > warp.ready_at) {
            warp.ready_at = there;
            warp.held_by = Stall::imc_miss;
        }
    }
}

void Sm::advance_pc(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const std::uint32_t before = warp.pc;
    if (--warp.left == 0) {
        if (context_.on_demand && !warp.trace->has_segment()) {
            if (warp.trace->state == WarpTrace::State::waiting_clock)
                clock_answered(warp, now);
            else if (warp.trace->woken != 0)
                execute_on(warp, now);
        }
        if (!next_segment(warp)) {
            warp.starved = true;
            if (warp.trace->state == WarpTrace::State::exited) exit_warp(slot, now);
            if (warp.trace->state == WarpTrace::State::sleeping) fall_asleep(slot, now);
            return;
        }
        if (warp.pc != before + 1) {
            const std::uint64_t resolved = now + platform_.sm.branch_latency_cycles;
            if (resolved > warp.ready_at) {
                warp.ready_at = resolved;
                warp.held_by = Stall::branch_resolve;
            }
        }
    } else {
        ++warp.pc;
    }
    if (warp.sleeping_lanes != 0) take_sleep(warp);
    await_code(slot, before, now);
    schedule_wake(slot, warp.ready_at);
}

}  // namespace sassafras::sim
