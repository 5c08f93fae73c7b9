// BAR: the named barriers of a block. Warps arrive as a whole: a warp counts when all its lanes that are alive have
// come.
#include "isa/sass/fields.hpp"
#include "sim/execute/interpreter.hpp"

namespace sassafras::sim {

namespace fields = isa::fields;

namespace {

void complete(Block& block, std::uint32_t number) {
    NamedBarrier& barrier = block.barriers[number];
    if (ExecutionObserver* const observer = block.state.front().launch->observer; observer != nullptr)
        observer->barrier_completed(block.slot, number);
    for (Warp& warp : block.state) {
        for (std::uint32_t index = 0; index < warp.group_count; ++index) {
            Group& group = warp.groups[index];
            if (group.state != Group::State::at_barrier || group.barrier != number) continue;
            group.state = Group::State::ready;
            if (warp.trace->state == WarpTrace::State::sleeping) warp.trace->state = WarpTrace::State::running;
            ++group.pc;
            if (group.sync_mask == 0) continue;  // no reduction
            const auto kind = static_cast<fields::BarrierReduction>(group.sync_mask - 1);
            warp.barrier_result = kind == fields::BarrierReduction::popc ? barrier.count
                                  : kind == fields::BarrierReduction::logical_and
                                      ? static_cast<std::uint32_t>(barrier.all)
                                      : static_cast<std::uint32_t>(barrier.any);
        }
    }
    barrier = NamedBarrier{};
}

bool is_complete(const Block& block, const NamedBarrier& barrier) {
    if (barrier.arrived_warps == 0) return false;
    return barrier.expected == 0 ? barrier.arrived_warps >= block.live_warps
                                 : barrier.arrived_warps * warp_size >= barrier.expected;
}

/// Counts the warp if all its living lanes have come.
void count_warp(Block& block, Warp& warp, std::uint32_t number) {
    if (warp.arrived[number] == 0 || (warp.alive & ~warp.arrived[number]) != 0) return;
    warp.arrived[number] = 0;
    ++block.barriers[number].arrived_warps;
}

}  // namespace

bool arrive_at_barrier(Block& block, Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const int first = std::countr_zero(mask);
    const std::uint32_t number = words(row(warp, op.a))[first] & (named_barriers - 1);
    // The form with one register for both packs the count above the number.
    const std::uint32_t raw = words(row(warp, op.b))[first];
    const std::uint32_t threads = op.m2 != 0 ? raw >> 16U & 0xfffU : raw;
    const auto mode = static_cast<fields::BarrierMode>(op.m0);
    NamedBarrier& barrier = block.barriers[number];
    barrier.expected = threads;
    if (mode == fields::BarrierMode::reduce) {
        const std::uint32_t holds = source_predicate<0>(warp, op) & mask;
        barrier.count += static_cast<std::uint32_t>(std::popcount(holds));
        barrier.all = barrier.all && holds == mask;
        barrier.any = barrier.any || holds != 0;
    }
    if (warp.launch->observer != nullptr)
        warp.launch->observer->barrier_reached({block.slot, warp.index, instruction_index(warp, op), mask, warp.alive},
                                               number, threads, mode != fields::BarrierMode::arrive);
    warp.arrived[number] |= mask;
    const bool partly = (warp.alive & ~warp.arrived[number]) != 0;
    warp.trace->push_value(number | static_cast<std::uint64_t>(threads) << 8U |
                           (partly ? WarpTrace::barrier_partly : 0));
    count_warp(block, warp, number);
    const bool waits = mode != fields::BarrierMode::arrive;
    if (waits) {
        Group& group = warp.groups[warp.current];
        group.state = Group::State::at_barrier;
        group.barrier = static_cast<std::uint8_t>(number);
        group.sync_mask = mode == fields::BarrierMode::reduce ? op.m1 + 1 : 0;
    }
    if (is_complete(block, barrier)) {
        complete(block, number);
        if (waits) --warp.groups[warp.current].pc;  // the caller steps over BAR
        return true;
    }
    return !waits;
}

void account_for_exit(Block& block, Warp& warp) {
    for (std::uint32_t number = 0; number < named_barriers; ++number) {
        if (warp.alive != 0) count_warp(block, warp, number);
        if (is_complete(block, block.barriers[number])) complete(block, number);
    }
}

}  // namespace sassafras::sim
