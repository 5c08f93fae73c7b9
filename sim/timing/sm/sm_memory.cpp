// Memory instructions of warps: what the memory unit is given, and what warps wait for.
#include <algorithm>

#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

void Sm::release_later(std::uint16_t slot, std::uint8_t scoreboard, std::uint64_t time, Event::Kind kind) {
    events_.push(std::max(time, now_ + 1),
                 {.kind = kind, .scoreboard = scoreboard, .warp = slot, .age = warps_[slot].age});
}

void Sm::result_at(std::uint16_t slot, const TimingOp& op, std::uint64_t time) {
    if (registers_) {
        registers_->written_at(slot, warps_[slot].pc, time,
                               is_fixed_latency(op.unit) ? Stall::wait : Stall::short_scoreboard);
    } else if (op.write_barrier < Scoreboards::count) {
        warps_[slot].scoreboards.hold(op.write_barrier, false);
        release_later(slot, op.write_barrier, time, Event::Kind::release_write);
    }
}

std::uint32_t Sm::constant_addresses(Warp& warp, const TimingOp& op) {
    if (!op.indexed) return 1;
    const std::uint64_t different = warp.trace->pop_value();
    return different == WarpTrace::predicated_off ? 1 : static_cast<std::uint32_t>(different);
}

void Sm::memory_instruction(std::uint32_t core_number, std::uint16_t slot, const TimingOp& op, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const LsuParameters& lsu = platform_.lsu;
    const std::uint64_t entry = memory_.enter(core_number, slot, op, now);
    cores_[core_number].read_later(op, platform_.sm, now, entry);
    const std::uint64_t read = entry + lsu.register_read_latency_cycles + memory_.sending_cycles(op, op.data_registers);
    if (op.data_registers != 0 && !registers_)
        warp.drained_at = std::max(warp.drained_at, read + lsu.store_drain_cycles);
    if (op.read_barrier < Scoreboards::count) {
        // Of global and local memory this too is a long scoreboard to Nsight Compute (values_spilled of
        // probes/what_if.cu: loads that wait for the registers of a store before them).
        const bool is_lg = op.action == Action::memory && op.site.space != MemorySpace::shared;
        warp.scoreboards.hold(op.read_barrier, is_lg);
        release_later(slot, op.read_barrier, read, Event::Kind::release_read);
    }
    if (op.action == Action::memory) {
        access_memory(slot, op, entry);
        return;
    }
    std::uint64_t done = entry + op.latency;
    if (op.action == Action::constant_load) {
        const std::uint64_t there = op.constant_line != 0 ? fetch_.loaded_constant(op.constant_line, entry) : entry;
        done = constant_port_.read(std::max(there, entry), constant_addresses(warp, op)) + lsu.constant_latency_cycles;
        if (!registers_) warp.drained_at = std::max(warp.drained_at, done);
    } else if (op.action == Action::shuffle) {
        const Passage passage{
            .subcore = core_number, .warp = slot, .wavefronts = 1, .registers = 1, .shared_memory = true};
        done = memory_.stages().pass(passage, entry) + lsu.shuffle_latency_cycles;
    }
    result_at(slot, op, done);
}

void Sm::access_memory(std::uint16_t slot, const TimingOp& op, std::uint64_t entry) {
    warps_[slot].trace->pop_access(access_);
    switch (op.site.space) {
        case MemorySpace::none: return;
        case MemorySpace::shared: shared_access(slot, op, entry); return;
        case MemorySpace::local: local_access(slot, op, entry); return;
        case MemorySpace::global: global_access(slot, op, entry); return;
        case MemorySpace::generic: break;
    }
    // The lanes of each space are an access of their own; the scoreboard clears when all are done.
    const LanesBySpace lanes = lanes_by_space(op.site.space, access_);
    const bool nowhere = access_.mask == 0;
    if (lanes.shared != 0) {
        access_.mask = lanes.shared;
        shared_access(slot, op, entry);
    }
    if (lanes.local != 0) {
        access_.mask = lanes.local;
        local_access(slot, op, entry);
    }
    if (lanes.global != 0 || nowhere) {
        access_.mask = lanes.global;
        global_access(slot, op, entry);
    }
}

void Sm::shared_access(std::uint16_t slot, const TimingOp& op, std::uint64_t entry) {
    const Requester from{.warp = name_of(slot), .subcore = warps_[slot].subcore, .pc = warps_[slot].pc};
    result_at(slot, op, memory_.shared(from, op, access_, entry));
}

void Sm::local_access(std::uint16_t slot, const TimingOp& op, std::uint64_t entry) {
    const Requester from{.warp = name_of(slot), .subcore = warps_[slot].subcore, .pc = warps_[slot].pc};
    wait_for(slot, op, memory_.local(from, op, access_, entry));
}

void Sm::global_access(std::uint16_t slot, const TimingOp& op, std::uint64_t entry) {
    const Requester from{.warp = name_of(slot), .subcore = warps_[slot].subcore, .pc = warps_[slot].pc};
    CopyTarget copy;
    if (op.site.copies_to_shared) {
        AccessRecord stored;
        warps_[slot].trace->pop_access(stored);
        copy = {.group = copies_.start(from.warp),
                .wavefronts = memory_.count_shared(from.pc, op, stored, SharedAccessKind::store)};
    }
    wait_for(slot, op, memory_.global(from, op, access_, copy, entry));
}

void Sm::wait_for(std::uint16_t slot, const TimingOp& op, const MemoryUnit::Waits& waits) {
    Warp& warp = warps_[slot];
    if (waits.acknowledge) ++warp.unacknowledged;
    for (std::uint32_t load = 0; load < waits.loads; ++load) {
        if (registers_)
            registers_->hold(slot, warp.pc);
        else if (op.write_barrier < Scoreboards::count)
            warp.scoreboards.hold(op.write_barrier, true);
    }
}

void Sm::load_finished(const LoadOperation& load, std::uint64_t now) {
    if (load.scoreboard < Scoreboards::count) loaded(load, now);
    if (load.copy_group == 0 || !is_there(load.requester.warp)) return;
    copies_.done(load.requester.warp, load.copy_group);
    retire_copies(load.requester.warp.slot, now);
}

void Sm::loaded(const LoadOperation& load, std::uint64_t now) {
    const WarpName& name = load.requester.warp;
    if (!registers_) {
        release(name.slot, name.age, load.scoreboard, now);
        return;
    }
    if (!is_there(name)) return;
    registers_->release(name.slot, load.requester.pc, now);
    SubCore& core = core_of(name.slot);
    const std::uint32_t number = number_in_core(name.slot);
    if (!core.waits(number)) return;
    Warp& warp = warps_[name.slot];
    warp.cleared_kind = Stall::long_scoreboard;
    warp.scoreboard_clear = now;
    core.stop_waiting(number);
    becomes_ready(name.slot, now);
}

void Sm::close_copies(std::uint16_t slot, const TimingOp& op, std::uint64_t now) {
    if (op.write_barrier < Scoreboards::count) warps_[slot].scoreboards.hold(op.write_barrier, true);
    copies_.close(name_of(slot), op.write_barrier);
    retire_copies(slot, now);
}

void Sm::retire_copies(std::uint16_t slot, std::uint64_t now) {
    copies_.retire(name_of(slot), [&](std::uint8_t scoreboard) {
        if (scoreboard < Scoreboards::count) release_later(slot, scoreboard, now + 1, Event::Kind::release_write);
    });
}

}  // namespace sassafras::sim
