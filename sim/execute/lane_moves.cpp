#include "sim/execute/lane_moves.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "isa/program/targets.hpp"
#include "sim/execute/driver_function.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/interpreter.hpp"

namespace sassafras::sim {

namespace {

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
        external &= ~together;
        const auto function = driver_function_at(target);
        if (!function) continue;  // the address is the program's own: it is refused as any other outside the code
        if (!call_driver(warp, op, *function, together)) return false;
        for_each_lane(together,
                      [&](int lane) { targets[static_cast<std::size_t>(lane)] = return_address(warp, lane); });
    }
    return true;
}

}  // namespace

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

void part_from(Warp& warp, std::uint32_t met) {
    for (std::uint32_t at = 0, count = warp.group_count; at < count; ++at) {
        Group& group = warp.groups[at];
        const std::uint32_t others = group.mask & ~met;
        if (group.state != Group::State::at_warp_sync || (group.mask & met) == 0 || others == 0) continue;
        Group& apart = warp.groups[warp.group_count++];
        apart = group;
        apart.mask = others;
        group.mask &= met;
    }
}

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

bool exit_lanes(Block& block, Warp& warp, std::uint32_t mask) {
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

}  // namespace sassafras::sim
