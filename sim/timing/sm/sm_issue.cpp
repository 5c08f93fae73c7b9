// Issue of an instruction, and the warp's way to its next.
#include <algorithm>
#include <bit>

#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

void Sm::account(std::uint16_t slot, std::uint32_t core_number, const TimingOp& op, std::uint64_t now) {
    const Warp& warp = warps_[slot];
    auto& row = stalls_[warp.pc];
    const auto add = [&row](Stall reason, std::uint64_t cycles) { row[static_cast<std::size_t>(reason)] += cycles; };
    add(Stall::selected, 1);
    if (warp.stall_end > warp.last_issue + 1) add(Stall::wait, warp.stall_end - warp.last_issue - 1);
    std::uint64_t from = std::max(warp.stall_end, warp.last_issue + 1);
    if (const std::uint64_t resolved = std::min(warp.resolved_at, warp.ready_at); resolved > from) {
        add(Stall::branch_resolve, resolved - from);
        from = resolved;
    }
    if (warp.ready_at > from) {
        std::uint64_t held = warp.ready_at - from;
        if (warp.held_by == Stall::imc_miss) {
            const std::uint64_t again = std::min<std::uint64_t>(held, platform_.fetch.constant_again_cycles);
            add(Stall::no_instruction, again);
            held -= again;
        }
        add(warp.held_by, held);
        from = warp.ready_at;
    }
    if (warp.scoreboard_clear > from) {
        add(warp.cleared_kind, std::min(warp.scoreboard_clear, now) - from);
        from = std::min(warp.scoreboard_clear, now);
    }
    if (now <= from) return;
    const SubCore& core = cores_[core_number];
    const std::uint64_t unit_free = core.unit_free(op.unit, number_in_core(slot));
    if (op.unit == Unit::memory && memory_.stages().queue_free(core_number) == now) {
        // Nsight Compute's lg: local and global memory.
        const bool is_lg = op.action == Action::memory && op.site.space != MemorySpace::shared;
        add(is_lg ? Stall::lg_throttle : Stall::mio_throttle, now - from);
    } else if (op.unit == Unit::xu && platform_.pipes.xu_lead_cycles != 0 && unit_free == now) {
        add(Stall::mio_throttle, now - from);
    } else if (op.unit != Unit::none && op.interval > 1 && unit_free == now) {
        // A unit that takes an instruction every cycle holds nobody up. In the cycles in which one that was free took
        // another warp's, this one could have been chosen; in those behind it could not (so the two are as many on an
        // H200 where a pipe takes one every second cycle: validate/records/h200/measured, bitonic and blocksorts).
        const std::uint64_t taken = (now - from) / op.interval;
        add(Stall::math_pipe_throttle, now - from - taken);
        if (taken != 0) add(Stall::not_selected, taken);
    } else if (core.ports_busy() && core.dispatch_free() == now) {
        add(Stall::dispatch_stall, now - from);
    } else {
        add(Stall::not_selected, now - from);
    }
}

void Sm::issue(std::uint32_t core_number, std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const TimingOp& op = ops_[warp.pc];
    account(slot, core_number, op, now);
    SubCore& core = cores_[core_number];
    std::uint64_t begun = core.issue(number_in_core(slot), warp.pc, op, platform_, now);
    // The sub-cores share what reads special registers: an instruction a cycle
    // (validate/records/h200/probes/pipe_words.csv, streams of S2R in all of them).
    if (op.unit == Unit::adu && op.write_barrier < Scoreboards::count && op.action != Action::constant_load)
        begun = memory_.stages().accept(now);

    if (op.unit == Unit::imad_wide) {
        warp.products[2] = warp.products[1];
        warp.products[1] = warp.products[0];
        warp.products[0] = now;
    }
    if (context_.on_demand && warp.left == 1 && warp.trace->state == WarpTrace::State::waiting_turn &&
        !warp.trace->has_segment() && !take_turn(warp, now))
        return;
    warp.last_issue = now;
    warp.stall_end = core.resumes(now) + op.stall;
    warp.ready_at = warp.stall_end;
    warp.scoreboard_clear = 0;
    warp.held_by = Stall::wait;

    switch (op.action) {
        case Action::plain:
        case Action::exit:
        case Action::depbar:
            result_at(slot, op, begun + op.latency);
            if (op.read_barrier < Scoreboards::count) {
                warp.scoreboards.hold(op.read_barrier, false);
                const std::uint32_t more = op.queued_read_count > 1 ? op.queued_read_count - 1 : 0;
                release_later(
                    slot, op.read_barrier,
                    now + platform_.sm.queued_release_cycles + more * platform_.sm.queued_read_interval_cycles,
                    Event::Kind::release_read);
            }
            break;
        case Action::clock_read:
        case Action::special_register:
        case Action::uniform_constant: result_at(slot, op, begun + op.latency); break;
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
    const Segment before = warp.trace->last_segment();
    const Segment segment = warp.trace->pop_segment();
    memory_.instruction_counters().add_segment(segment, before);
    const bool exits = before.count != 0 && ops_[before.first + before.count - 1].action == Action::exit;
    warp.sought = warp.kept.move(before.mask, segment.mask, exits);
    warp.pc = segment.first;
    warp.left = segment.count;
    warp.mask = segment.mask;
    warp.starved = warp.asleep = false;
    if (warp.partly_at != 0 && warp.pc == warp.partly_at) {
        // The lanes that were still to come have exited: the warp goes on past the barrier, so it counts now.
        warp.partly_at = 0;
        Block& block = blocks_[warp.block];
        block.barriers.complete_arrival(warp.partly_number);
        release_barrier_if_complete(block, warp.partly_number, now_);
    }
    return true;
}

/// Lanes that are not at hand have been sought: that takes time, and counts as an instruction issued again.
void Sm::seek_lanes(Warp& warp) {
    if (!warp.sought || platform_.sm.lane_search_cycles == 0) return;
    warp.sought = false;
    warp.ready_at += platform_.sm.lane_search_cycles;
    warp.resolved_at = warp.ready_at - platform_.fetch.l0_latency_cycles;
    memory_.counters()["smsp__inst_issued.sum"_metric] += 1;
}

/// Gives a warp without instructions its next ones.
void Sm::feed(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const std::uint32_t before = warp.pc;
    if (!next_segment(warp)) {
        if (warp.trace->state == WarpTrace::State::exited) drain_warp(slot, now);
        if (warp.trace->state == WarpTrace::State::sleeping && !warp.asleep) fall_asleep(slot, now);
        return;
    }
    warp.ready_at = std::max(warp.ready_at, now);
    seek_lanes(warp);
    if (warp.sleeping_lanes != 0) take_sleep(warp);
    await_code(slot, warp.last_issue == warp.started ? from_the_start : before, now);
    schedule_wake(slot, std::max(warp.ready_at, now + 1));
}

/// A warp has its next line of code at `fetched`.
void Sm::take_code(Warp& warp, std::uint64_t fetched) {
    if (fetched <= warp.ready_at) return;
    warp.ready_at = fetched;
    warp.held_by = Stall::no_instruction;
}

/// The line of code that a warp comes to from instruction `before`, and the constant that its next instruction reads,
/// must be there.
void Sm::await_code(std::uint16_t slot, std::uint32_t before, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const bool jumped = before == from_the_start || warp.pc != before + 1;
    if (before == from_the_start || warp.pc >> line_shift_ != before >> line_shift_) {
        const std::uint64_t fetched = fetch_.instruction(warp.subcore, warp.pc >> line_shift_, now, jumped);
        take_code(warp, jumped ? fetched : std::max(fetched, warp.next_line_at));
        if (!jumped) warp.next_line_at = fetch_.give(warp.subcore, now, now);
    }
    if (jumped) {
        const std::uint64_t there = fetch_.give_jump(warp.subcore, slot, now, std::max(now, warp.resolved_at));
        take_code(warp, there);
        warp.next_line_at = std::max(there + platform_.fetch.next_line_cycles, warp.ready_at);
    }
    const TimingOp& op = ops_[warp.pc];
    if (op.wide_back != 0) warp.ready_at = std::max(warp.ready_at, warp.products[op.wide_back - 1U] + op.wide_cycles);
    if (op.constant_line != 0 && op.action != Action::constant_load) {
        const std::uint64_t there = fetch_.constant(warp.subcore, op.constant_line, now);
        if (there > warp.ready_at) {
            warp.ready_at = there;
            warp.held_by = Stall::imc_miss;
            memory_.counters()["smsp__inst_issued.sum"_metric] += 1;
        }
    }
}

void Sm::advance_pc(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const std::uint32_t before = warp.pc;
    const std::uint32_t l0_latency = platform_.fetch.l0_latency_cycles;
    if (--warp.left == 0) {
        if (context_.on_demand && !warp.trace->has_segment()) {
            if (warp.trace->state == WarpTrace::State::waiting_clock)
                clock_answered(warp, now);
            else if (warp.trace->woken != 0)
                execute_on(warp, now);
        }
        if (!next_segment(warp)) {
            warp.starved = true;
            if (warp.trace->state == WarpTrace::State::exited) drain_warp(slot, now);
            if (warp.trace->state == WarpTrace::State::sleeping) fall_asleep(slot, now);
            return;
        }
        if (warp.pc != before + 1) {
            const std::uint64_t arrives = now + platform_.sm.branch_latency_cycles;
            if (arrives > warp.ready_at) {
                warp.ready_at = arrives;
                warp.resolved_at = arrives - l0_latency;
                warp.held_by = Stall::no_instruction;
            }
        }
    } else {
        ++warp.pc;
    }
    if (ops_[before].reconverges) {
        warp.ready_at += platform_.sm.reconvergence_cycles;
        warp.resolved_at = warp.ready_at - (warp.pc != before + 1 ? l0_latency : 0);
    }
    seek_lanes(warp);
    if (warp.sleeping_lanes != 0) take_sleep(warp);
    await_code(slot, before, now);
    schedule_wake(slot, warp.ready_at);
}

}  // namespace sassafras::sim
