#include "sim/check/checker.hpp"

#include <bit>
#include <cstring>

#include "isa/program/contended.hpp"
#include "isa/sass/fields.hpp"
#include "sim/check/access_record.hpp"
#include "sim/check/fault_report.hpp"
#include "sim/check/lane_count.hpp"
#include "sim/check/locations.hpp"
#include "sim/check/reports.hpp"
#include "sim/execute/warp_state.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

void Checker::begin(const isa::Program& program, const LaunchShape& shape, const isa::LineTable* lines,
                    std::uint64_t grid_workspace) {
    program_ = &program;
    shape_ = shape;
    log_.begin(program, shape, lines);
    sites_.clear();
    for (const isa::Instruction& instruction : program.instructions) sites_.push_back(checked_site(instruction));
    const std::vector<bool> loads_of_swaps = isa::loads_of_tried_swaps(program);
    for (std::size_t i = 0; i < loads_of_swaps.size(); ++i) {
        if (!loads_of_swaps[i]) continue;
        sites_[i].kind = WarpAccess::Kind::atomic;
        sites_[i].strong = true;
    }
    shared_piece_ = smallest_access(sites_, MemorySpace::shared);
    uses_.clear();
    blocks_.clear();
    grid_ = {};
    grid_barrier_.start(grid_workspace, shape.grid.volume());
    global_.start(smallest_access(sites_, MemorySpace::global));
}

void Checker::block_started(std::uint32_t slot, std::uint64_t block, std::uint32_t warps, const SharedExtent& shared) {
    if (slot >= blocks_.size()) blocks_.resize(slot + 1);
    BlockState& state = blocks_[slot];
    state.block = block;
    state.extent = shared;
    state.undefined.clear();
    state.clock.start(warps);
    state.barriers.start(static_cast<std::uint32_t>(shape_.block.volume()));
    state.phases.start(static_cast<std::uint32_t>(shape_.block.volume()));
    state.shared.start(warps, shared, shared_piece_);
}

void Checker::block_finished(std::uint32_t) {}

bool Checker::accessed(const ObservedAccess& access) {
    slot_ = access.at.slot;
    BlockState& block = blocks_[slot_];
    if (!block.undefined.empty() && block.undefined[access.at.warp].any()) {
        UndefinedValues& undefined = block.undefined[access.at.warp];
        const isa::RegisterUse& use = uses_[access.at.instruction];
        const isa::Instruction& instruction = program_->instructions[access.at.instruction];
        const std::uint8_t stored = access.stored != nullptr ? instruction.b.reg : isa::register_zero;
        if (const std::uint32_t used = undefined.used_by_access(use, stored, access.at.lanes); used != 0)
            report_used(undefined, used);
        undefined.define(use, access.at.lanes);
    }
    look_at(access, block);
    return !block.undefined.empty() && block.undefined[access.at.warp].any();
}

void Checker::look_at(const ObservedAccess& access, BlockState& block) {
    const CheckedSite& site = sites_[access.at.instruction];
    if (site.space == MemorySpace::local || site.space == MemorySpace::none) return;
    alignas(64) RecordedAddresses address;
    std::span<const std::uint64_t> words = access.records;
    WarpAccess part;
    part.kind = site.kind;
    part.strong = site.strong;
    part.instruction = access.at.instruction;
    part.block = static_cast<std::uint32_t>(block.block);
    part.warp = access.at.warp;
    part.width = site.width;
    part.address = address.data();
    part.stored = access.stored;
    part.lanes = take_record(words, address);
    if (program_->instructions[part.instruction].opcode == isa::Opcode::SYNCS) {
        access_barrier(block, access, part);
        return;
    }
    if (site.space == MemorySpace::global) {
        access_global(block, part);
    } else if (site.space == MemorySpace::shared) {
        access_shared(block, part, access.shared);
    } else {
        std::uint32_t shared = 0;
        std::uint32_t local = 0;
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            if (in_local_window(address[lane])) local |= 1U << lane;
            if (!in_shared_window(address[lane])) continue;
            shared |= 1U << lane;
            address[lane] -= shared_window;
        }
        const std::uint32_t lanes = part.lanes;
        part.lanes = lanes & ~shared & ~local;
        access_global(block, part);
        part.lanes = lanes & shared;
        access_shared(block, part, access.shared);
    }
    if (!site.copies_to_shared) return;
    part.kind = WarpAccess::Kind::copy;
    part.lanes = take_record(words, address);
    access_shared(block, part, access.shared);
}

void Checker::access_shared(BlockState& block, WarpAccess& access, const std::byte* memory) {
    if (access.lanes == 0) return;
    if (access.strong) acquire(block, access);
    block.shared.access(access, block.clock, memory, *this);
    if (access.strong) release(block, access, false);
}

void Checker::access_global(BlockState& block, WarpAccess& access) {
    if (access.lanes == 0) return;
    if (access.strong && access.kind != WarpAccess::Kind::write) acquire(block, access);
    global_.access(access, block.clock, grid_, *this);
    if (access.strong && access.kind != WarpAccess::Kind::read) release(block, access, true);
}

void Checker::access_barrier(BlockState& block, const ObservedAccess& access, WarpAccess& part) {
    const isa::Instruction& instruction = program_->instructions[part.instruction];
    const SyncsStep step = syncs_step(instruction);
    if (step == SyncsStep::other) return;
    // One lane initialises it, whichever execute the instruction.
    if (step == SyncsStep::initialise) part.lanes &= 0U - part.lanes;
    block.shared.access(part, block.clock, access.shared, *this);
    std::uint32_t left = part.lanes;
    if (step == SyncsStep::wait) {
        const auto over = static_cast<std::uint8_t>(instruction.word.get(isa::fields::predicate_u));
        left = over == isa::predicate_true ? 0 : left & access.predicates[over];
    }
    while (left != 0) {  // the lanes of one barrier after the other
        const std::uint64_t barrier = part.address[std::countr_zero(left)];
        std::uint32_t lanes = 0;
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (part.address[lane] == barrier) lanes |= 1U << lane;
        }
        left &= ~lanes;
        std::uint64_t word = 0;
        std::memcpy(&word, access.shared + barrier, sizeof word);
        use_barrier(block, access, part, lanes, barrier, word);
    }
}

void Checker::use_barrier(BlockState& block, const ObservedAccess& access, const WarpAccess& part, std::uint32_t lanes,
                          std::uint64_t barrier, std::uint64_t word) {
    const isa::Instruction& instruction = program_->instructions[part.instruction];
    switch (syncs_step(instruction)) {
        case SyncsStep::initialise: block.phases.initialise(part, barrier, word, block.clock); break;
        case SyncsStep::arrive: {
            if (counts_as_arrival(instruction)) {
                const auto faults = block.phases.arrive(part, lanes, barrier, word, block.clock);
                const auto report = [&](std::uint32_t wrong, BarrierFault fault) {
                    ExecutionPlace at = access.at;
                    at.lanes = wrong;
                    if (wrong != 0) report_memory_barrier(log_, at, block.block, fault, barrier);
                };
                report(faults.missing_init, BarrierFault::missing_init);
                report(faults.missing_wait, BarrierFault::missing_wait);
            }
            block.clock.release_all(part.warp, barrier);
            break;
        }
        case SyncsStep::wait:
            block.clock.acquire(part.warp, lanes, barrier);
            block.phases.wait(part, lanes, barrier, word, block.clock);
            block.shared.finish_copies(barrier);
            break;
        case SyncsStep::other: break;
    }
}

void Checker::copies_arrive(const ExecutionPlace& place, const std::uint32_t* barrier) {
    BlockState& block = blocks_[place.slot];
    std::uint32_t left = place.lanes;
    while (left != 0) {  // the lanes of one barrier after the other
        const std::uint32_t address = barrier[std::countr_zero(left)];
        std::uint32_t together = 0;
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (barrier[lane] == address) together |= 1U << lane;
        }
        block.shared.arrive_with_copies(place.warp, together, address, block.clock.now());
        block.clock.release_all(place.warp, address);
        block.phases.copies_arrive(address);
        left &= ~together;
    }
}

void Checker::acquire(BlockState& block, const WarpAccess& access) {
    if (!block.clock.has_published() && !grid_.has_released()) return;
    for_each_location(access, [&](std::uint32_t lane, std::uint64_t location) {
        block.clock.acquire(access.warp, 1U << lane, location);
        if (grid_barrier_.holds(location))
            block.clock.learn(access.warp, grid_barrier_.learnt(access.block));
        else
            block.clock.learn(access.warp, grid_.released(location));
    });
}

void Checker::release(BlockState& block, const WarpAccess& access, bool is_global) {
    if (!is_global && !block.clock.has_fenced(access.warp)) return;
    const std::uint32_t fence = block.clock.device_fence(access.warp);
    const std::uint32_t now = is_global ? block.clock.advance() : 0;
    for_each_location(access, [&](std::uint32_t, std::uint64_t location) {
        block.clock.release(access.warp, location);
        if (!is_global) return;
        grid_.release(access.block, fence, now, location);
        if (access.kind == WarpAccess::Kind::atomic && grid_barrier_.holds(location))
            grid_barrier_.arrive(access.block, grid_.released(location));
    });
}

void Checker::ordered(const ExecutionPlace& place) {
    const isa::Instruction& instruction = program_->instructions[place.instruction];
    BlockState& block = blocks_[place.slot];
    switch (instruction.opcode) {
        case isa::Opcode::MEMBAR: {
            constexpr std::uint64_t scope_gpu = 2;
            block.clock.fence(place.warp, instruction.word.get(isa::fields::membar_scope) >= scope_gpu);
            break;
        }
        case isa::Opcode::LDGDEPBAR: block.shared.close_copies(place.warp); break;
        case isa::Opcode::DEPBAR:
            if (instruction.word.get(isa::fields::depbar_less_equal) != 0 &&
                instruction.word.get(isa::fields::depbar_scoreboard) == 0)
                block.shared.wait_for_copies(
                    place.warp, static_cast<std::uint32_t>(instruction.word.get(isa::fields::depbar_count)),
                    block.clock.now());
            break;
        default: break;
    }
}

void Checker::warp_synchronised(std::uint32_t slot, std::uint32_t warp, std::uint32_t lanes) {
    blocks_[slot].clock.synchronise_lanes(warp, lanes);
}

void Checker::warp_barrier_reached(const ExecutionPlace& place, const std::uint32_t* named) {
    std::uint32_t wrong = 0;
    for (std::uint32_t rest = place.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        if ((named[lane] >> lane & 1U) == 0) wrong |= 1U << lane;
    }
    if (wrong != 0) barrier_error(place, wrong, BarrierFault::arguments);
}

void Checker::barrier_reached(const ExecutionPlace& place, std::uint32_t barrier, std::uint32_t expected, bool waits) {
    BlockState& block = blocks_[place.slot];
    block.clock.arrive(place.warp, barrier, waits);
    const bool splits_block =
        block.barriers.reach(place, barrier, expected, waits, stands_for_others(*program_, place.instruction));
    if (place.lanes != place.alive)
        barrier_error(place, place.lanes, BarrierFault::divergent_warp);
    else if (splits_block)
        barrier_error(place, place.lanes, BarrierFault::divergent_block);
}

void Checker::barrier_completed(std::uint32_t slot, std::uint32_t barrier) {
    BlockState& block = blocks_[slot];
    block.clock.complete(barrier, block.barriers.is_of_block(barrier, shape_.block.volume()));
    const auto around = block.barriers.complete(barrier, *program_);
    // Where lanes of one warp come apart, some of them going around is the same fault.
    if (around && !has_reported_barrier(log_, around->instruction, BarrierFault::divergent_warp))
        barrier_error({slot, around->warp, around->instruction, around->lanes, 0}, around->lanes,
                      BarrierFault::divergent_block);
}

void Checker::exited(const ExecutionPlace& place) { blocks_[place.slot].barriers.exit(place); }

void Checker::deadlocked(const ExecutionPlace& place) {
    barrier_error(place, place.lanes, BarrierFault::divergent_block);
}

// ---- findings ------------------------------------------------------------------------------------------------------

void Checker::hazard(const Hazard& hazard) { report_race(log_, hazard); }

void Checker::uninitialised(const UninitialisedRead& read) {
    if (sites_[read.instruction].kind != WarpAccess::Kind::read) {
        report_uninitialised(log_, read);
        return;
    }
    if (uses_.empty())
        for (const isa::Instruction& instruction : program_->instructions) uses_.push_back(register_use(instruction));
    auto& undefined = blocks_[slot_].undefined;
    if (undefined.empty()) undefined.resize((shape_.block.volume() + lane_count - 1) / lane_count);
    undefined[read.thread / lane_count].load(read, program_->instructions[read.instruction].destination,
                                             read.thread % lane_count);
}

bool Checker::computing(const ObservedValues& values) {
    UndefinedValues& undefined = blocks_[values.at.slot].undefined[values.at.warp];
    const std::uint32_t used =
        undefined.compute(program_->instructions[values.at.instruction], uses_[values.at.instruction], values);
    if (used != 0) report_used(undefined, used);
    return undefined.any();
}

void Checker::branching(const ObservedValues& values) {
    const UndefinedValues& undefined = blocks_[values.at.slot].undefined[values.at.warp];
    if (values.at.instruction >= uses_.size()) return;  // the end of the code
    const std::uint32_t used = undefined.used_by_branch(uses_[values.at.instruction], values.at.lanes);
    if (used != 0) report_used(undefined, used);
}

void Checker::report_used(const UndefinedValues& undefined, std::uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1)
        report_uninitialised(log_, undefined.origin(static_cast<std::uint32_t>(std::countr_zero(lanes))));
}

void Checker::barrier_error(const ExecutionPlace& at, std::uint32_t lanes, BarrierFault fault) {
    ExecutionPlace wrong = at;
    wrong.lanes = lanes;
    report_barrier(log_, wrong, blocks_[at.slot].block, fault);
}

void Checker::faulted(const ObservedAccess& access, const Fault& fault) {
    if (fault.reason != Fault::Reason::out_of_bounds && fault.reason != Fault::Reason::misaligned) return;
    const BlockState& block = blocks_[access.at.slot];
    const AccessibleMemory memory{memory_, heap_, block.extent.begin, block.extent.end};
    report_illegal_access(log_, access, sites_[access.at.instruction], fault, block.block, memory);
}

void Checker::stopped(const ExecutionPlace& place, const Fault& fault) {
    const bool illegal_access =
        fault.reason == Fault::Reason::out_of_bounds || fault.reason == Fault::Reason::misaligned;
    if (!illegal_access)
        report_stop(log_, place, fault, blocks_[place.slot].block, heap_);
    else if (fault.space == Fault::Space::constant)
        report_illegal_constant(log_, place, fault, blocks_[place.slot].block);
}

}  // namespace sassafras::sim
