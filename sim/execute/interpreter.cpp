#include "sim/execute/interpreter.hpp"

#include "isa/program/targets.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/execute/driver_function.hpp"
#include "sim/execute/handlers.hpp"

#include <fmt/format.h>

namespace sassafras::sim {

namespace {

/// A group may run this many instructions while others of its warp are ready before they get their turn.
constexpr std::uint64_t group_quantum = 4096;

void flush_segment(Warp& warp) {
    if (warp.pending.count != 0) warp.trace->push_segment(warp.pending);
    warp.pending.count = 0;
}

void note_segment(Warp& warp, std::uint32_t first, std::uint32_t count, std::uint32_t mask) {
    if (warp.pending.count != 0) {
        if (warp.pending.mask == mask && warp.pending.first + warp.pending.count == first) {
            warp.pending.count += count;
            return;
        }
        warp.trace->push_segment(warp.pending);
    }
    warp.pending = {first, count, mask};
}

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

/// Where each lane of `taken` goes. False after a fault in a function of the driver.
bool indirect_targets(Warp& warp, const MicroOp& op, std::uint32_t taken,
                      std::array<std::uint64_t, warp_size>& targets) {
    const std::uint32_t* low = words(row(warp, op.a));
    const std::uint64_t base = op.m0 | static_cast<std::uint64_t>(op.m1) << 32U;
    std::uint32_t external = 0;
    for_each_lane(taken, [&](int lane) {
        const std::uint64_t target = read_pair(low, lane) + base;
        targets[static_cast<std::size_t>(lane)] = target;
        external |= static_cast<std::uint32_t>(isa::is_external_code(target)) << lane;
    });
    while (external != 0) {
        const std::uint64_t target = targets[static_cast<std::size_t>(std::countr_zero(external))];
        std::uint32_t together = 0;
        for_each_lane(external, [&](int lane) {
            together |= static_cast<std::uint32_t>(targets[static_cast<std::size_t>(lane)] == target) << lane;
        });
        const auto function = driver_function_at(target);
        require_invariant(function.has_value(), "a call of a driver's function that the loader does not know");
        if (!call_driver(warp, op, *function, together)) return false;
        for_each_lane(together,
                      [&](int lane) { targets[static_cast<std::size_t>(lane)] = return_address(warp, lane); });
        external &= ~together;
    }
    return true;
}

/// Lanes with different targets part; those that fall through, or else those that share the first lane's target, run
/// on. A function of the driver runs at once; its lanes go on behind the call.
bool branch_indirect(Launch& launch, Warp& warp, const MicroOp& op, std::uint32_t taken, Error& error) {
    const std::uint32_t pc = warp.groups[warp.current].pc;
    std::array<std::uint64_t, warp_size> targets;
    if (!indirect_targets(warp, op, taken, targets)) return false;
    bool keeps_group = taken == warp.groups[warp.current].mask;
    std::uint32_t next = pc + 1;
    std::uint32_t left = taken;
    while (left != 0) {
        const std::uint64_t target = targets[static_cast<std::size_t>(std::countr_zero(left))];
        std::uint32_t together = 0;
        for_each_lane(left, [&](int lane) {
            together |= static_cast<std::uint32_t>(targets[static_cast<std::size_t>(lane)] == target) << lane;
        });
        left &= ~together;
        if (target % isa::instruction_bytes != 0 ||
            target / isa::instruction_bytes >= launch.program->instructions.size()) {
            error = {ErrorKind::check_failed,
                     fmt::format("Indirect branch to {:#x}, which is outside the kernel's code", target),
                     place(launch, pc),
                     "a function pointer to code outside this kernel, or a corrupted return address"};
            return false;
        }
        const auto index = static_cast<std::uint32_t>(target / isa::instruction_bytes);
        if (keeps_group)
            next = index;
        else
            split(warp, together, index);
        keeps_group = false;
    }
    warp.groups[warp.current].pc = next;
    return true;
}

/// Lanes outside `mask` skip the instruction and go on; the running group keeps `mask`.
void keep_only(Warp& warp, std::uint32_t mask) {
    Group& group = warp.groups[warp.current];
    const std::uint32_t others = group.mask & ~mask;
    if (others != 0) split(warp, others, group.pc + 1);
}

/// WARPSYNC: the running group waits for the lanes that its lanes name. With .EXCLUSIVE (mode 1) and .COLLECTIVE (2)
/// those that name different ones go on apart.
void wait_for_lanes(Warp& warp, const std::uint32_t* named, std::uint32_t mode) {
    std::uint32_t left = warp.groups[warp.current].mask;
    std::uint32_t all = 0;
    for_each_lane(left, [&](int lane) {
        all |= named[lane];
        warp.named[static_cast<std::size_t>(lane)] = named[lane] | 1U << static_cast<unsigned>(lane);
    });
    const auto wait = [&](Group& group, std::uint32_t for_lanes) {
        group.state = Group::State::at_warp_sync;
        group.collective = mode == 2;
        group.sync_mask = for_lanes;
    };
    while (mode != 0) {
        const std::uint32_t wanted = named[std::countr_zero(left)];
        std::uint32_t alike = 0;
        for_each_lane(left, [&](int lane) { alike |= static_cast<std::uint32_t>(named[lane] == wanted) << lane; });
        all = wanted;
        if (alike == left) break;
        wait(split(warp, alike, warp.groups[warp.current].pc), wanted);
        left &= ~alike;
    }
    wait(warp.groups[warp.current], all);
}

/// ENDCOLLECTIVE: each lane goes on behind the region that it came to, which need not be the one that was executed.
void leave_collective(Warp& warp) {
    std::uint32_t left = warp.groups[warp.current].mask;
    const std::uint32_t own = warp.collective_end[static_cast<std::size_t>(std::countr_zero(left))];
    warp.groups[warp.current].pc = own;
    for (std::uint32_t end = own;;) {
        std::uint32_t alike = 0;
        for_each_lane(left, [&](int lane) {
            alike |= static_cast<std::uint32_t>(warp.collective_end[static_cast<std::size_t>(lane)] == end) << lane;
        });
        left &= ~alike;
        if (end != own) split(warp, alike, end);
        if (left == 0) return;
        end = warp.collective_end[static_cast<std::size_t>(std::countr_zero(left))];
    }
}

bool exit_lanes(Block& block, Warp& warp, std::uint32_t mask) {  // true if the group still runs
    Group& group = warp.groups[warp.current];
    if (warp.launch->observer != nullptr)
        warp.launch->observer->exited({block.slot, warp.index, group.pc, mask, warp.alive});
    warp.alive &= ~mask;
    group.mask &= ~mask;
    ++group.pc;
    const bool goes_on = group.mask != 0;
    if (!goes_on) {
        remove_group(warp, warp.current);
        warp.current = warp.group_count;  // no group runs
    }
    if (warp.alive == 0) --block.live_warps;
    account_for_exit(block, warp);
    return goes_on;
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
    // The trace ends before an instruction that fails: its payload was never written.
    const auto fail_at_control = [&] {
        --warp.pending.count;
        return finish(Stop::failed);
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
        if (launch.fault.reason != Fault::Reason::none) return is_end ? finish(Stop::failed) : fail_at_control();

        // The instruction that ends the straight run.
        const auto control_pc = static_cast<std::uint32_t>(op - ops);
        Group& group = warp.groups[warp.current];
        group.pc = control_pc;
        const std::uint32_t lanes = guarded(warp, *op);
        if (warp.values_observed) [[unlikely]]
            launch.observer->branching(
                {{block.slot, warp.index, control_pc, mask, warp.alive}, warp.predicates.data(), nullptr, nullptr});
        bool goes_on = true;
        bool wants_fairness = false;
        bool gives_way = false;
        switch (op->control) {
            case Control::branch: {
                const std::uint32_t taken = lanes & source_predicate<0>(warp, *op) & source_predicate<1>(warp, *op);
                wants_fairness = warp.group_count > 1 && op->m0 <= control_pc;
                branch(warp, taken, op->m0);
                break;
            }
            case Control::branch_divergent: {
                const std::uint32_t raw = words(row(warp, op->a))[0];
                const std::uint32_t expected = (op->m1 != 0 ? ~raw : raw) & warp.alive;
                // All lanes branch unless those whose guard holds are the expected ones.
                const bool divergent = (lanes & source_predicate<0>(warp, *op)) != expected;
                branch(warp, divergent == (op->m2 == 0) ? mask : 0, op->m0);
                break;
            }
            case Control::branch_indirect: {
                const std::uint32_t taken = lanes & source_predicate<0>(warp, *op);
                if (!branch_indirect(launch, warp, *op, taken, error)) return fail_at_control();
                wants_fairness = warp.group_count > 1;
                break;
            }
            case Control::exit: {
                const std::uint32_t leaving = lanes & source_predicate<0>(warp, *op);
                if (leaving == 0)
                    ++group.pc;
                else
                    goes_on = exit_lanes(block, warp, leaving);
                break;
            }
            case Control::converge: {
                const std::uint32_t waiting = lanes & source_predicate<0>(warp, *op);
                if (waiting == 0 || warp.group_count == 1) {
                    ++group.pc;
                    break;
                }
                keep_only(warp, waiting);
                group.state = Group::State::at_convergence;
                group.barrier = static_cast<std::uint8_t>(op->m0);
                goes_on = false;
                break;
            }
            case Control::warp_sync: {
                const std::uint32_t waiting = lanes & source_predicate<0>(warp, *op);
                if (waiting != 0 && launch.observer != nullptr)
                    launch.observer->warp_barrier_reached({block.slot, warp.index, control_pc, waiting, warp.alive},
                                                          words(row(warp, op->a)));
                if (op->m0 == 2)
                    for_each_lane(mask,
                                  [&](int lane) { warp.collective_end[static_cast<std::size_t>(lane)] = op->m1; });
                if (waiting == 0 || (warp.group_count == 1 && op->m0 == 0)) {
                    if (waiting != 0 && launch.observer != nullptr)
                        launch.observer->warp_synchronised(block.slot, warp.index, waiting);
                    ++group.pc;
                    break;
                }
                keep_only(warp, waiting);
                wait_for_lanes(warp, words(row(warp, op->a)), op->m0);
                goes_on = false;
                break;
            }
            case Control::end_collective: leave_collective(warp); break;
            case Control::yield:
                ++group.pc;
                if (warp.group_count > 1) {
                    yield_group(warp);
                    since_switch = 0;
                }
                break;
            case Control::barrier:
                if (lanes == 0) {
                    warp.trace->push_value(WarpTrace::predicated_off);
                    ++group.pc;
                    break;
                }
                keep_only(warp, lanes);
                goes_on = arrive_at_barrier(block, warp, *op, lanes);
                if (goes_on) ++warp.groups[warp.current].pc;
                break;
            case Control::try_wait:
                // Who would wait gives way: the others of the block go on, then it looks again.
                warp.waits_in_vain = false;
                op->masked(warp, *op, lanes);
                if (launch.fault.reason != Fault::Reason::none) return finish(Stop::failed);
                ++group.pc;
                gives_way = warp.waits_in_vain;
                if (gives_way && warp.group_count > 1) choose_group(warp, true);
                break;
            case Control::sleep:
                // Others run meanwhile: what the warp does when it wakes must not be done before.
                op->masked(warp, *op, lanes);
                ++group.pc;
                if (lanes == 0) break;
                sleep_group(warp);
                goes_on = false;
                break;
            case Control::clock:
                ++group.pc;
                if (lanes == 0) break;
                warp.clock_pc = control_pc;
                warp.clock_mask = lanes;
                warp.trace->state = WarpTrace::State::waiting_clock;
                return finish(Stop::clock);
            case Control::not_modelled: {
                const isa::Instruction& instruction = launch.program->instructions[control_pc];
                if (lanes == 0) {
                    const std::array<std::uint64_t, warp_size> none{};
                    for (std::uint8_t i = 0; i < access_records(instruction.opcode); ++i)
                        warp.trace->push_access(0, none.data());
                    ++group.pc;
                    break;
                }
                error = {ErrorKind::not_modelled, fmt::format("{} is not modelled", isa::mnemonic(instruction.opcode)),
                         fmt::format("{}, word {:#018x}{:016x}", place(launch, control_pc), instruction.word.high,
                                     instruction.word.low),
                         "compile the kernel without this instruction"};
                return fail_at_control();
            }
            case Control::end_of_code:
                error = {ErrorKind::check_failed, "Execution ran past the end of the kernel's code",
                         place(launch, control_pc), ""};
                return finish(Stop::failed);
            case Control::none:
                require_invariant(false, "a straight run ends with an instruction that does not end one");
        }
        bool blocked = false;
        if (!goes_on) {
            since_switch = 0;
            if (warp.group_count == 0) {
                warp.trace->state = WarpTrace::State::exited;
                return finish(Stop::exited);
            }
            blocked = !choose_group(warp, false);
            if (blocked && warp.any_asleep && release_from_sleepers(warp)) blocked = !choose_group(warp, false);
            if (blocked && warp.any_asleep) warp.trace->state = WarpTrace::State::sleeping;
        } else if (wants_fairness && since_switch >= group_quantum) {
            choose_group(warp, true);
            since_switch = 0;
        }
        if (launch.request.instruction_limit != 0 && warp.executed + produced > launch.request.instruction_limit) {
            error = {ErrorKind::check_failed,
                     fmt::format("Runaway kernel: a warp ran more than {} instructions without ending",
                                 launch.request.instruction_limit),
                     fmt::format("{}, block ({},{},{}), warp {}", place(launch, control_pc), block.position.x,
                                 block.position.y, block.position.z, warp.index),
                     "raise the instruction limit if the kernel is meant to run that long", FaultKind::runaway};
            return finish(Stop::failed);
        }
        if (blocked) return finish(Stop::blocked);
        if (gives_way || produced >= quantum) return finish(Stop::quantum);
    }
}

}  // namespace sassafras::sim
