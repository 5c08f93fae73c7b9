#include "sim/execute/block_run.hpp"

#include <fmt/format.h>

#include "sim/execute/interpreter.hpp"

namespace sassafras::sim {

namespace {

Error deadlock(const Launch& launch, const Block& block) {
    std::string waiting;
    std::uint32_t first_pc = 0;
    std::uint32_t listed = 0;
    for (const Warp& warp : block.state) {
        for (std::uint32_t index = 0; index < warp.group_count; ++index) {
            const Group& group = warp.groups[index];
            if (launch.observer != nullptr && group.state == Group::State::at_barrier)
                launch.observer->deadlocked({block.slot, warp.index, group.pc, group.mask, warp.alive});
            if (listed == 0) first_pc = group.pc;
            if (++listed > 8) continue;
            const char* what = group.state == Group::State::at_barrier       ? "BAR"
                               : group.state == Group::State::at_convergence ? "BSYNC B"
                               : group.state == Group::State::asleep         ? "NANOSLEEP"
                                                                             : "WARPSYNC";
            waiting += fmt::format("{}warp {} (lanes {:#010x}) at pc {:#x} for {}", waiting.empty() ? "" : ", ",
                                   warp.index, group.mask, group.pc * isa::instruction_bytes, what);
            if (group.state != Group::State::at_warp_sync)
                waiting += fmt::format("{}{}", group.state == Group::State::at_barrier ? " " : "", group.barrier);
        }
    }
    if (listed > 8) waiting += fmt::format(" and {} more", listed - 8);
    return {ErrorKind::check_failed, "Deadlock: every warp of the block waits; " + waiting,
            fmt::format("{}, block ({},{},{})", place(launch, first_pc), block.position.x, block.position.y,
                        block.position.z),
            "every thread that has not exited must reach the barrier, with the same thread count", FaultKind::runaway};
}

}  // namespace

void set_up(Launch& launch, Block& block) {
    const auto threads = static_cast<std::uint32_t>(launch.request.shape.block.volume());
    const auto warps = static_cast<std::uint32_t>(block.warps.size());
    block.fresh = false;
    block.live_warps = warps;
    block.barriers = {};
    block.shared.assign(launch.shared.end, std::byte{0});
    const std::size_t local_words = launch.uses_local ? launch.local_words_of_warp() : 0;
    block.local.reset(local_words * warps);
    block.registers.resize(0);
    block.registers.resize(static_cast<std::size_t>(launch.rows_per_warp) * warps);
    block.state.assign(warps, Warp{});
    for (std::uint32_t index = 0; index < warps; ++index) {
        Warp& warp = block.state[index];
        warp.base[0] = block.registers.data() + static_cast<std::size_t>(index) * launch.rows_per_warp * sizeof(Row);
        warp.base[1] = launch.constants.data();
        warp.predicates[predicate_true_index] = full_mask;
        warp.predicates[uniform_predicates + predicate_true_index] = full_mask;
        warp.launch = &launch;
        warp.block = &block;
        warp.trace = &block.warps[index];
        warp.fault = &launch.fault;
        warp.shared = block.shared.data();
        warp.local =
            local_words == 0 ? nullptr : reinterpret_cast<std::byte*>(block.local.data() + index * local_words);
        const std::uint32_t left = threads - index * warp_size;
        warp.members = warp.alive = left >= warp_size ? full_mask : (1U << left) - 1U;
        warp.index = index;
        warp.group_count = 1;
        warp.groups[0].mask = warp.members;
    }
}

Result<void> advance_block(Launch& launch, Block& block, std::uint64_t instructions_ahead) {
    if (block.fresh) set_up(launch, block);
    bool progress = true;
    while (progress) {
        progress = false;
        for (Warp& warp : block.state) {
            const std::uint64_t buffered = warp.trace->buffered();
            if (warp.trace->state != WarpTrace::State::running || buffered >= instructions_ahead || !is_ready(warp))
                continue;
            progress = true;
            Error error;
            if (run_warp(launch, block, warp, instructions_ahead - buffered, error) != Stop::failed) continue;
            if (warp.log != nullptr || launch.fault.reason == Fault::Reason::none) return error;
            if (launch.observer != nullptr) {
                Fault fault = launch.fault;
                if (fault.reason == Fault::Reason::assertion) fault.message = launch.assertion.c_str();
                const std::uint32_t lanes = fault.lanes != 0 ? fault.lanes : 1U << fault.lane;
                launch.observer->stopped({block.slot, fault.warp, fault.pc, lanes, warp.alive}, fault);
            }
            return describe_fault(launch, block);
        }
    }
    // Stuck if some warp waits and nothing that could release it can go on.
    bool waits = false;
    for (Warp& warp : block.state) {
        if (warp.trace->state == WarpTrace::State::exited) continue;
        if (warp.trace->state != WarpTrace::State::running || is_ready(warp)) return {};
        waits = true;
    }
    if (waits) return deadlock(launch, block);
    return {};
}

}  // namespace sassafras::sim
