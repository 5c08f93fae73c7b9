// Independent thread scheduling: groups of lanes with their own pc. Three rules are an H200's, told by how often it
// executes BSYNC (validate/records/h200/probes/co_rank_groups.cu, tests/golden/execute/co_rank_groups.csv):
// - a divergent branch goes on with the smaller group;
// - a group that waits or exits hands over to the youngest ready group;
// - only the larger group of the last split is kept as a group. Those from before it are lanes with a pc each: when one
//   of them runs, all of them at its pc run with it.
// The rest is chosen to be deterministic: a group that has run long while others were ready hands over to the one that
// has waited longest. Lanes at BSYNC wait for no lane that does nothing but yield: it may itself wait for them, as for
// a lock that they hold.
#include <algorithm>
#include <array>
#include <bit>

#include "sim/execute/interpreter.hpp"
#include "sim/execute/lane_moves.hpp"

namespace sassafras::sim {

namespace {

/// YIELDs after which a group counts as waiting for others. On an H200 a single one parts the lanes in a loop from
/// those that wait behind it (validate/records/h200/probes/yield.cu).
constexpr std::uint16_t yield_patience = 1;

}  // namespace

Group& split(Warp& warp, std::uint32_t lanes, std::uint32_t pc) {
    require_invariant(warp.group_count < warp.groups.size(), "more groups than lanes in a warp");
    warp.groups[warp.current].mask &= ~lanes;
    warp.groups[warp.current].yields = 0;
    Group& group = warp.groups[warp.group_count++];
    group = Group{};
    group.pc = pc;
    group.mask = lanes;
    group.last_run = ++warp.switches;
    warp.youngest_apart = true;
    return group;
}

void remove_group(Warp& warp, std::uint32_t index) {
    for (std::uint32_t at = index; at + 1 < warp.group_count; ++at) warp.groups[at] = warp.groups[at + 1];
    --warp.group_count;
    if (warp.current > index) --warp.current;
}

namespace {

std::uint32_t participants(const Warp& warp, const Group& group) {
    std::uint32_t members = 0;
    for_each_lane(group.mask,
                  [&](int lane) { members |= warp.convergence[group.barrier][static_cast<std::size_t>(lane)]; });
    return members & warp.alive;
}

/// Whether `other`, at the same barrier as `group`, is one of those that meet there. A function that saved the barrier
/// (BMOV) and uses it itself waits at it for lanes of its own.
bool waits_for(const Warp& warp, const Group& other, const Group& group, std::uint32_t wanted) {
    const std::uint32_t shared = other.mask & wanted;
    if (shared == 0) return false;
    const auto lane = static_cast<std::size_t>(std::countr_zero(shared));
    return other.mask == group.mask || (warp.convergence[group.barrier][lane] & group.mask) != 0;
}

/// Lanes that came to WARPSYNC.COLLECTIVE at different places execute one region, the first group's: nvcc gives all the
/// same registers. ENDCOLLECTIVE sends each where it belongs. (H200: a ballot, match or reduction of lanes in two
/// branches is one of all lanes; tests/programs/collectives.cu.)
void share_collectives(Warp& warp, const std::array<bool, warp_size>& go) {
    for (std::uint32_t at = 1; at < warp.group_count; ++at) {
        if (!go[at] || !warp.groups[at].collective || warp.groups[at].state != Group::State::at_warp_sync) continue;
        for (std::uint32_t lower = 0; lower < at; ++lower) {
            const Group& first = warp.groups[lower];
            if (!go[lower] || !first.collective || first.sync_mask != warp.groups[at].sync_mask) continue;
            warp.groups[at].pc = first.pc;
            break;
        }
    }
}

/// Lets the groups in `go` step over the instruction they waited at; those at one pc go on together.
void release(Warp& warp, const std::array<bool, warp_size>& go) {
    std::uint32_t met = 0;  // at WARPSYNC
    share_collectives(warp, go);
    for (std::uint32_t at = 0; at < warp.group_count; ++at) {
        if (!go[at]) continue;
        warp.groups[at].exact = warp.groups[at].state == Group::State::at_warp_sync;
        if (warp.groups[at].exact) met |= warp.groups[at].mask;
        warp.groups[at].state = Group::State::ready;
        warp.groups[at].yields = 0;
        ++warp.groups[at].pc;
    }
    warp.met &= ~met;
    if (met != 0 && warp.launch->observer != nullptr)
        warp.launch->observer->warp_synchronised(warp.block->slot, warp.index, met);
    for (std::uint32_t at = warp.group_count; at-- > 1;) {
        if (!go[at]) continue;
        for (std::uint32_t lower = 0; lower < at; ++lower) {
            if (!go[lower] || warp.groups[lower].pc != warp.groups[at].pc) continue;
            warp.groups[lower].mask |= warp.groups[at].mask;
            remove_group(warp, at);
            break;
        }
    }
}

/// Releases the groups that `meets` selects if they hold all lanes of `wanted`.
template <class Meets>
bool release_if_complete(Warp& warp, std::uint32_t wanted, Meets meets) {
    std::array<bool, warp_size> go{};
    std::uint32_t here = 0;
    for (std::uint32_t at = 0; at < warp.group_count; ++at) {
        go[at] = meets(warp.groups[at]);
        if (go[at]) here |= warp.groups[at].mask;
    }
    if ((wanted & ~here) != 0) return false;
    release(warp, go);
    return true;
}

/// Lanes that have met go on as one group: what follows (a shuffle, a vote) is of them all. Others of theirs wait on.
void bring_together(Warp& warp, std::uint32_t met) {
    const auto holds = [&](const Group& group) {
        return group.state == Group::State::at_warp_sync && (group.mask & met) != 0;
    };
    if (std::count_if(warp.groups.begin(), warp.groups.begin() + warp.group_count, holds) >= 2) part_from(warp, met);
}

/// Lets the groups go on for whose lanes WARPSYNC is over.
bool release_who_met(Warp& warp) {
    std::array<bool, warp_size> go{};
    bool any = false;
    for (std::uint32_t at = 0; at < warp.group_count; ++at) {
        const Group& group = warp.groups[at];
        go[at] = group.state == Group::State::at_warp_sync && (group.mask & ~warp.met) == 0;
        any |= go[at];
    }
    if (any) release(warp, go);
    return any;
}

/// WARPSYNC is over for a lane when all that it names wait there, too, and name the same. A group whose lanes name
/// different ones goes on when it is over for all of them.
bool release_named(Warp& warp) {
    std::uint32_t waiting = 0;
    for (std::uint32_t at = 0; at < warp.group_count; ++at)
        if (warp.groups[at].state == Group::State::at_warp_sync) waiting |= warp.groups[at].mask;
    waiting &= ~warp.met;
    for (std::uint32_t left = waiting; left != 0;) {
        const auto first = static_cast<std::size_t>(std::countr_zero(left));
        const std::uint32_t wanted = warp.named[first] & warp.alive;
        std::uint32_t alike = 0;
        for_each_lane(waiting & wanted, [&](int lane) {
            alike |= static_cast<std::uint32_t>(warp.named[static_cast<std::size_t>(lane)] == warp.named[first])
                     << lane;
        });
        left &= ~(alike | 1U << first);
        if (alike != wanted) continue;
        warp.met |= wanted;
        bring_together(warp, wanted);
        // Those that named other lanes go on apart from these, even from the same place.
        if (release_who_met(warp)) return true;
    }
    return false;
}

bool release_one(Warp& warp) {
    for (std::uint32_t index = 0; index < warp.group_count; ++index) {
        const Group group = warp.groups[index];
        if (group.state == Group::State::at_convergence) {
            const std::uint32_t wanted = participants(warp, group) | group.mask;
            if (release_if_complete(warp, wanted, [&](const Group& other) {
                    return other.state == group.state && other.barrier == group.barrier &&
                           waits_for(warp, other, group, wanted);
                }))
                return true;
        }
    }
    return release_named(warp);
}

/// Lanes of groups that have yielded, or sleep.
std::uint32_t yielding_lanes(const Warp& warp) {
    std::uint32_t lanes = 0;
    for (std::uint32_t index = 0; index < warp.group_count; ++index) {
        const Group& group = warp.groups[index];
        if ((group.state == Group::State::ready || group.state == Group::State::asleep) &&
            group.yields >= yield_patience)
            lanes |= group.mask;
    }
    return lanes;
}

/// Lanes at a convergence barrier whose other participants all yield go on; neither side waits for the other there any
/// more.
bool release_without_yielding(Warp& warp) {
    const std::uint32_t yielding = yielding_lanes(warp);
    if (yielding == 0) return false;
    for (std::uint32_t index = 0; index < warp.group_count; ++index) {
        const Group group = warp.groups[index];
        if (group.state != Group::State::at_convergence) continue;
        const std::uint32_t wanted = (participants(warp, group) | group.mask) & ~yielding;
        const auto meets = [&](const Group& other) {
            return other.state == group.state && other.barrier == group.barrier && (other.mask & wanted) != 0;
        };
        std::uint32_t released = 0;
        for (std::uint32_t at = 0; at < warp.group_count; ++at)
            if (meets(warp.groups[at])) released |= warp.groups[at].mask;
        if (!release_if_complete(warp, wanted, meets)) continue;
        for_each_lane(yielding,
                      [&](int lane) { warp.convergence[group.barrier][static_cast<std::size_t>(lane)] &= ~released; });
        return true;
    }
    return false;
}

/// Lanes that have met all that they name go on without those of their group that name others. Code of sm_75 calls one
/// function for several shuffles, so lanes can come to its WARPSYNC together of which some wait there for what the
/// others do behind it (tests/programs/divergence.cu).
bool release_met(Warp& warp) {
    part_from(warp, warp.met);
    return release_who_met(warp);
}

/// Lanes that have parted from others at BSYNC (for one that yielded or slept, or in a function that saved the barrier)
/// can come to wait for lanes that wait for them elsewhere. An H200 goes on then (tests/programs/divergence.cu ends
/// there).
bool release_stuck(Warp& warp) {
    std::uint32_t chosen = warp.group_count;
    for (std::uint32_t index = 0; index < warp.group_count; ++index) {
        const Group& group = warp.groups[index];
        if (group.state != Group::State::at_convergence && group.state != Group::State::at_warp_sync) return false;
        if (group.state == Group::State::at_convergence &&
            (chosen == warp.group_count || group.last_run < warp.groups[chosen].last_run))
            chosen = index;
    }
    if (chosen == warp.group_count) return release_met(warp);
    std::array<bool, warp_size> go{};
    for (std::uint32_t index = 0; index < warp.group_count; ++index)
        go[index] =
            warp.groups[index].state == Group::State::at_convergence && warp.groups[index].pc == warp.groups[chosen].pc;
    release(warp, go);
    return true;
}

/// The ready group that holds `lane`, or group_count.
std::uint32_t ready_group_of(const Warp& warp, int lane) {
    for (std::uint32_t index = 0; index < warp.group_count; ++index)
        if ((warp.groups[index].mask >> static_cast<unsigned>(lane) & 1U) != 0)
            return warp.groups[index].state == Group::State::ready ? index : warp.group_count;
    return warp.group_count;
}

/// The ready groups at the running group's pc become part of it. Those that WARPSYNC let go stay apart.
void take_in_equals(Warp& warp) {
    if (warp.groups[warp.current].exact) return;
    for (std::uint32_t at = warp.group_count; at-- > 0;) {
        const Group& other = warp.groups[at];
        if (at == warp.current || other.state != Group::State::ready || other.exact ||
            other.pc != warp.groups[warp.current].pc)
            continue;
        warp.groups[warp.current].mask |= other.mask;
        remove_group(warp, at);
    }
}

bool choose_longest_waiting(Warp& warp) {
    warp.groups[warp.current].last_run = ++warp.switches;
    warp.youngest_apart = false;
    release_converged(warp);
    std::uint32_t chosen = warp.group_count;
    for (std::uint32_t index = 0; index < warp.group_count; ++index) {
        if (warp.groups[index].state != Group::State::ready) continue;
        if (chosen == warp.group_count || warp.groups[index].last_run < warp.groups[chosen].last_run) chosen = index;
    }
    if (chosen == warp.group_count) return false;
    warp.current = chosen;
    warp.groups[chosen].exact = false;
    warp.groups[chosen].last_run = ++warp.switches;
    return true;
}

}  // namespace

void yield_group(Warp& warp) {
    Group& group = warp.groups[warp.current];
    if (group.yields < yield_patience) ++group.yields;
    while (release_without_yielding(warp)) {}
    choose_group(warp, true);
}

void sleep_group(Warp& warp) {
    Group& group = warp.groups[warp.current];
    group.state = Group::State::asleep;
    group.yields = yield_patience;
    warp.any_asleep = true;
    (void)release_from_sleepers(warp);
}

bool release_from_sleepers(Warp& warp) {
    bool any = false;
    while (release_without_yielding(warp)) any = true;
    return any;
}

bool wake_groups(Warp& warp, std::uint32_t lanes) {
    if (!warp.any_asleep) return false;
    bool any = false;
    warp.any_asleep = false;
    for (std::uint32_t index = 0; index < warp.group_count; ++index) {
        Group& group = warp.groups[index];
        if (group.state != Group::State::asleep) continue;
        if ((group.mask & lanes) != 0) {
            group.state = Group::State::ready;
            any = true;
        } else {
            warp.any_asleep = true;
        }
    }
    return any;
}

void release_converged(Warp& warp) {
    do {
        while (release_one(warp)) {}
    } while (release_stuck(warp));
}

bool choose_group(Warp& warp, bool fair) {
    if (fair) return choose_longest_waiting(warp);
    // A group may meet others and change its place; its first lane says where it is.
    const std::uint32_t running = warp.current < warp.group_count ? warp.groups[warp.current].mask : 0;
    release_converged(warp);
    if (running != 0)
        if (const std::uint32_t met = ready_group_of(warp, std::countr_zero(running)); met != warp.group_count) {
            warp.current = met;
            warp.groups[met].exact = false;
            return true;
        }
    std::uint32_t chosen = warp.group_count;
    for (std::uint32_t index = 0; index < warp.group_count; ++index)
        if (warp.groups[index].state == Group::State::ready) chosen = index;
    if (chosen == warp.group_count) return false;
    warp.current = chosen;
    if (!warp.youngest_apart) take_in_equals(warp);
    warp.youngest_apart = false;
    warp.groups[warp.current].exact = false;
    warp.groups[warp.current].last_run = ++warp.switches;
    return true;
}

}  // namespace sassafras::sim
