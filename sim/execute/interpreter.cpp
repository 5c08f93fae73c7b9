#include "sim/execute/interpreter.hpp"

#include "sim/access/memory_site.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/lane_moves.hpp"
#include "sim/execute/pending_segment.hpp"

#include <fmt/format.h>

namespace sassafras::sim {

namespace {

/// A group may run this many instructions while others of its warp are ready before they get their turn.
constexpr std::uint64_t group_quantum = 4096;

std::uint32_t guarded(const Warp& warp, const MicroOp& op) {
    return (warp.active | op.always) & (warp.predicates[op.guard] ^ op.guard_flip);
}

/// Lanes of `taken` go to `target`, the others fall through. The smaller group runs on, at a tie the one that falls
/// through: so does an H200 (validate/records/h200/probes/co_rank_groups.cu).
void branch(Warp& warp, std::uint32_t taken, std::uint32_t target) {
    Group& group = warp.groups[warp.current];
    if (taken == 0) {
        ++group.pc;
    } else if (taken == group.mask) {
        group.pc = target;
    } else {
        const std::uint32_t others = group.mask & ~taken;
        if (std::popcount(taken) < std::popcount(others)) {
            split(warp, others, group.pc + 1);
            warp.groups[warp.current].pc = target;
        } else {
            ++group.pc;
            split(warp, taken, target);
        }
    }
}

/// Lanes outside `mask` skip the instruction and go on; the running group keeps `mask`.
void keep_only(Warp& warp, std::uint32_t mask) {
    Group& group = warp.groups[warp.current];
    const std::uint32_t others = group.mask & ~mask;
    if (others != 0) split(warp, others, group.pc + 1);
}

/// What the instruction at the end of a straight run leaves behind.
struct Outcome {
    bool goes_on = true;          ///< the running group can run on
    bool wants_fairness = false;  ///< it may be running while others wait for it
    bool gives_way = false;       ///< other warps run next
    bool switched = false;        ///< another group of the warp runs
    bool stops = false;
    Stop stop = Stop::quantum;
};

constexpr Outcome stopped(Stop stop) { return {.stops = true, .stop = stop}; }

/// The trace ends before an instruction that fails: its payload was never written.
Outcome failed_at_control(Warp& warp) {
    --warp.pending.count;
    return stopped(Stop::failed);
}

/// The instruction that ends a straight run, executed by the running group.
struct AtControl {
    Launch& launch;
    Block& block;
    Warp& warp;
    Group& group;
    const MicroOp& op;
    std::uint32_t pc;
    std::uint32_t mask;   ///< of the group
    std::uint32_t lanes;  ///< of those, where the guard holds
    Error& error;

    /// Of `lanes`, where source predicate 0 holds.
    [[nodiscard]] std::uint32_t acting() const { return lanes & source_predicate<0>(warp, op); }
};

Outcome branch_with_warp(const AtControl& at) {
    const std::uint32_t raw = words(row(at.warp, at.op.a))[0];
    const std::uint32_t expected = (at.op.m1 != 0 ? ~raw : raw) & at.warp.alive;
    // All lanes branch unless those whose guard holds are the expected ones.
    const bool divergent = at.acting() != expected;
    branch(at.warp, divergent == (at.op.m2 == 0) ? at.mask : 0, at.op.m0);
    return {};
}

Outcome exit(const AtControl& at) {
    const std::uint32_t leaving = at.acting();
    if (leaving != 0) return {.goes_on = exit_lanes(at.block, at.warp, leaving)};
    ++at.group.pc;
    return {};
}

Outcome converge(const AtControl& at) {
    const std::uint32_t waiting = at.acting();
    if (waiting == 0 || at.warp.group_count == 1) {
        ++at.group.pc;
        return {};
    }
    keep_only(at.warp, waiting);
    at.group.state = Group::State::at_convergence;
    at.group.barrier = static_cast<std::uint8_t>(at.op.m0);
    return {.goes_on = false};
}

Outcome synchronise_lanes(const AtControl& at) {
    Warp& warp = at.warp;
    const MicroOp& op = at.op;
    ExecutionObserver* const observer = at.launch.observer;
    const std::uint32_t waiting = at.acting();
    if (waiting != 0 && observer != nullptr)
        observer->warp_barrier_reached({at.block.slot, warp.index, at.pc, waiting, warp.alive}, words(row(warp, op.a)));
    if (op.m0 == 2)
        for_each_lane(at.mask, [&](int lane) { warp.collective_end[static_cast<std::size_t>(lane)] = op.m1; });
    if (waiting == 0 || (warp.group_count == 1 && op.m0 == 0)) {
        if (waiting != 0 && observer != nullptr) observer->warp_synchronised(at.block.slot, warp.index, waiting);
        ++at.group.pc;
        return {};
    }
    keep_only(warp, waiting);
    wait_for_lanes(warp, words(row(warp, op.a)), op.m0);
    return {.goes_on = false};
}

Outcome yield(const AtControl& at) {
    ++at.group.pc;
    if (at.warp.group_count <= 1) return {};
    yield_group(at.warp);
    return {.switched = true};
}

Outcome wait_at_barrier(const AtControl& at) {
    if (at.lanes == 0) {
        at.warp.trace->push_value(WarpTrace::predicated_off);
        ++at.group.pc;
        return {};
    }
    keep_only(at.warp, at.lanes);
    const bool goes_on = arrive_at_barrier(at.block, at.warp, at.op, at.lanes);
    if (goes_on) ++at.warp.groups[at.warp.current].pc;
    return {.goes_on = goes_on};
}

/// Who would wait gives way: the others of the block go on, then it looks again.
Outcome try_wait(const AtControl& at) {
    at.warp.waits_in_vain = false;
    at.op.masked(at.warp, at.op, at.lanes);
    if (at.warp.fault->reason != Fault::Reason::none) return stopped(Stop::failed);
    ++at.group.pc;
    const bool gives_way = at.warp.waits_in_vain;
    if (gives_way && at.warp.group_count > 1) choose_group(at.warp, true);
    return {.gives_way = gives_way};
}

/// Others run meanwhile: what the warp does when it wakes must not be done before.
Outcome sleep(const AtControl& at) {
    at.op.masked(at.warp, at.op, at.lanes);
    ++at.group.pc;
    if (at.lanes == 0) return {};
    sleep_group(at.warp);
    return {.goes_on = false};
}

Outcome read_clock(const AtControl& at) {
    ++at.group.pc;
    if (at.lanes == 0) return {};
    at.warp.clock_pc = at.pc;
    at.warp.clock_mask = at.lanes;
    at.warp.trace->state = WarpTrace::State::waiting_clock;
    return stopped(Stop::clock);
}

/// A contended instruction is in the trace before the warp's turn has come, and its payload is not.
Outcome execute_in_turn(const AtControl& at) {
    WarpTrace& trace = *at.warp.trace;
    if (at.lanes != 0 && !trace.has_turn) {
        trace.state = WarpTrace::State::waiting_turn;
        return stopped(Stop::turn);
    }
    if (trace.has_turn) {
        trace.has_turn = false;
        --at.warp.pending.count;
        --at.warp.executed;
    }
    (at.lanes == full_mask ? at.op.full : at.op.masked)(at.warp, at.op, at.lanes);
    if (at.warp.fault->reason != Fault::Reason::none) return failed_at_control(at.warp);
    ++at.group.pc;
    return {};
}

Outcome refuse(const AtControl& at) {
    const isa::Instruction& instruction = at.launch.program->instructions[at.pc];
    if (at.lanes == 0) {
        const std::array<std::uint64_t, warp_size> none{};
        for (std::uint8_t i = 0; i < access_records(instruction.opcode); ++i)
            at.warp.trace->push_access(0, none.data());
        ++at.group.pc;
        return {};
    }
    at.error = {
        ErrorKind::not_modelled, fmt::format("{} is not modelled", isa::mnemonic(instruction.opcode)),
        fmt::format("{}, word {:#018x}{:016x}", place(at.launch, at.pc), instruction.word.high, instruction.word.low),
        "compile the kernel without this instruction"};
    return failed_at_control(at.warp);
}

Outcome execute_control(const AtControl& at) {
    Warp& warp = at.warp;
    switch (at.op.control) {
        case Control::branch: {
            const std::uint32_t taken = at.acting() & source_predicate<1>(warp, at.op);
            const bool wants_fairness = warp.group_count > 1 && at.op.m0 <= at.pc;
            branch(warp, taken, at.op.m0);
            return {.wants_fairness = wants_fairness};
        }
        case Control::branch_divergent: return branch_with_warp(at);
        case Control::branch_indirect:
            if (!branch_indirect(at.launch, warp, at.op, at.acting(), at.error)) return failed_at_control(warp);
            return {.wants_fairness = warp.group_count > 1};
        case Control::exit: return exit(at);
        case Control::converge: return converge(at);
        case Control::warp_sync: return synchronise_lanes(at);
        case Control::end_collective: leave_collective(warp); return {};
        case Control::yield: return yield(at);
        case Control::barrier: return wait_at_barrier(at);
        case Control::try_wait: return try_wait(at);
        case Control::sleep: return sleep(at);
        case Control::clock: return read_clock(at);
        case Control::turn: return execute_in_turn(at);
        case Control::not_modelled: return refuse(at);
        case Control::end_of_code:
            at.error = {ErrorKind::check_failed, "Execution ran past the end of the kernel's code",
                        place(at.launch, at.pc), ""};
            return stopped(Stop::failed);
        case Control::none: break;
    }
    require_invariant(false, "a straight run ends with an instruction that does not end one");
    return {};
}

/// No group of the warp goes on with what the last one did: another is chosen. True if none is ready.
bool hand_over(Warp& warp) {
    bool blocked = !choose_group(warp, false);
    if (blocked && warp.any_asleep && release_from_sleepers(warp)) blocked = !choose_group(warp, false);
    if (blocked && warp.any_asleep) warp.trace->state = WarpTrace::State::sleeping;
    return blocked;
}

Error runaway(const Launch& launch, const Block& block, const Warp& warp, std::uint32_t pc) {
    return {ErrorKind::check_failed,
            fmt::format("Runaway kernel: a warp ran more than {} instructions without ending",
                        launch.request.instruction_limit),
            fmt::format("{}, block ({},{},{}), warp {}", place(launch, pc), block.position.x, block.position.y,
                        block.position.z, warp.index),
            "raise the instruction limit if the kernel is meant to run that long", FaultKind::runaway};
}

}  // namespace

bool is_ready(Warp& warp) {
    if (warp.trace->state != WarpTrace::State::running) return false;
    if (warp.trace->woken != 0 && wake_groups(warp, warp.trace->woken) && warp.current < warp.group_count &&
        warp.groups[warp.current].state == Group::State::ready)
        choose_group(warp, true);  // who runs may be waiting for them
    warp.trace->woken = 0;
    release_converged(warp);
    for (std::uint32_t index = 0; index < warp.group_count; ++index)
        if (warp.groups[index].state == Group::State::ready) return true;
    if (warp.any_asleep) warp.trace->state = WarpTrace::State::sleeping;
    return false;
}

Stop run_warp(Launch& launch, Block& block, Warp& warp, std::uint64_t quantum, Error& error) {
    const MicroOp* const ops = launch.ops.data();
    std::uint64_t produced = 0;
    std::uint64_t since_switch = 0;
    const auto finish = [&](Stop stop) {
        flush_segment(warp);
        warp.executed += produced;
        return stop;
    };
    if (warp.group_count == 0) return finish(Stop::exited);
    if (warp.current >= warp.group_count || warp.groups[warp.current].state != Group::State::ready)
        if (!choose_group(warp, false)) return finish(Stop::blocked);

    while (true) {
        const std::uint32_t index = warp.groups[warp.current].pc;
        const std::uint32_t mask = warp.groups[warp.current].mask;
        warp.active = mask;
        const MicroOp* op = ops + index;
        const MicroOp* const end = op + op->straight;
        for (; op != end; ++op) {
            const std::uint32_t lanes = guarded(warp, *op);
            (lanes == full_mask ? op->full : op->masked)(warp, *op, lanes);
        }
        const bool is_end = op->control == Control::end_of_code;
        const std::uint32_t count = static_cast<std::uint32_t>(end - (ops + index)) + (is_end ? 0U : 1U);
        note_segment(warp, index, count, mask);
        produced += count;
        since_switch += count;
        if (warp.fault->reason != Fault::Reason::none) {
            if (!is_end) --warp.pending.count;  // the trace ends before what fails: its payload was never written
            return finish(Stop::failed);
        }

        // The instruction that ends the straight run.
        const auto control_pc = static_cast<std::uint32_t>(op - ops);
        Group& group = warp.groups[warp.current];
        group.pc = control_pc;
        const std::uint32_t lanes = guarded(warp, *op);
        if (warp.values_observed) [[unlikely]]
            launch.observer->branching(
                {{block.slot, warp.index, control_pc, mask, warp.alive}, warp.predicates.data(), nullptr, nullptr});
        const Outcome outcome = execute_control({launch, block, warp, group, *op, control_pc, mask, lanes, error});
        if (outcome.stops) return finish(outcome.stop);
        bool blocked = false;
        if (!outcome.goes_on) {
            since_switch = 0;
            if (warp.group_count == 0) {
                warp.trace->state = WarpTrace::State::exited;
                return finish(Stop::exited);
            }
            blocked = hand_over(warp);
        } else if (outcome.switched) {
            since_switch = 0;
        } else if (outcome.wants_fairness && since_switch >= group_quantum) {
            choose_group(warp, true);
            since_switch = 0;
        }
        if (launch.request.instruction_limit != 0 && warp.executed + produced > launch.request.instruction_limit) {
            error = runaway(launch, block, warp, control_pc);
            return finish(Stop::failed);
        }
        if (blocked) return finish(Stop::blocked);
        if (outcome.gives_way || produced >= quantum) return finish(Stop::quantum);
    }
}

}  // namespace sassafras::sim
