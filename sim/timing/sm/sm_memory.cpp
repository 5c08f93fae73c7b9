// The memory unit of an SM: queues of the sub-cores, the data stage that they share, shared memory. Stages are reserved
// at issue: each keeps the cycle from which it is free, so a wait costs no simulation work.
#include <algorithm>

#include "sim/timing/cycle_fraction.hpp"
#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

void Sm::hold(Warp& warp, std::uint8_t scoreboard, bool is_long) {
    const auto bit = static_cast<std::uint8_t>(1U << scoreboard);
    ++warp.scoreboard[scoreboard];
    warp.pending = static_cast<std::uint8_t>(warp.pending | bit);
    if (is_long) warp.long_scoreboards = static_cast<std::uint8_t>(warp.long_scoreboards | bit);
}

void Sm::release_later(std::uint16_t slot, std::uint8_t scoreboard, std::uint64_t time, Event::Kind kind) {
    events_.push(std::max(time, now_ + 1),
                 {.kind = kind, .scoreboard = scoreboard, .warp = slot, .age = warps_[slot].age});
}

void Sm::result_at(std::uint16_t slot, const TimingOp& op, std::uint64_t time) {
    if (registers_) {
        registers_->written_at(slot, warps_[slot].pc, time,
                               is_fixed_latency(op.unit) ? Stall::wait : Stall::short_scoreboard);
    } else if (op.write_barrier < 6) {
        hold(warps_[slot], op.write_barrier, false);
        release_later(slot, op.write_barrier, time, Event::Kind::release_write);
    }
}

namespace {
/// The first slot of `interval` cycles that does not begin before `time`. (A division by one would cost as much as the
/// rest.)
std::uint64_t slot_from(std::uint64_t time, std::uint32_t interval) {
    return interval == 1 ? time : (time + interval - 1) / interval;
}
}  // namespace

std::uint64_t Sm::enter_memory_unit(SubCore& core, const TimingOp& op, std::uint64_t now) {
    const LsuParameters& lsu = platform_.lsu;
    accept_.advance(slot_from(now, lsu.accept_interval_cycles));
    tags_.advance(now);
    data_.advance(slot_from(now, lsu.wavefront_interval_cycles));
    const std::uint64_t backlog = core.way_free > lsu.data_buffer_cycles ? core.way_free - lsu.data_buffer_cycles : 0;
    std::uint64_t from = std::max({now, core.memory_free, backlog});
    if (op.action == Action::memory && !op.site.returns &&
        (op.site.space == MemorySpace::global || op.site.space == MemorySpace::generic)) {
        const std::uint64_t leaves = store_free_ / fraction;
        if (leaves > from + lsu.data_buffer_cycles) from = leaves - lsu.data_buffer_cycles;
    }
    const std::uint64_t entry = accept_.take(slot_from(from, lsu.accept_interval_cycles)) * lsu.accept_interval_cycles;
    core.memory_free =
        entry + lsu.issue_interval_cycles + std::uint64_t{op.data_registers} * lsu.operand_register_cycles;
    core.queue[core.queue_at] = entry;
    core.queue_at = (core.queue_at + 1) % core.queue.size();
    return entry;
}

/// Books the data stage, and for what a sub-core sends or receives its way there. The cycle at which the last wavefront
/// goes through.
std::uint64_t Sm::reserve_data(SubCore& core, std::uint64_t from, std::uint32_t wavefronts, bool by_subcore) {
    if (wavefronts == 0) return from;
    const LsuParameters& lsu = platform_.lsu;
    const std::uint32_t interval = lsu.wavefront_interval_cycles;
    if (by_subcore) from = std::max(from, core.way_free);
    std::uint64_t last = data_.take(slot_from(from, interval));
    if (wavefronts > 1) {
        const std::uint64_t spacing =
            by_subcore ? std::max<std::uint64_t>(1, slot_from(lsu.subcore_wavefront_interval_cycles, interval)) : 1;
        for (std::uint32_t i = 1; i < wavefronts; ++i) last = data_.take(last + spacing);
    }
    if (by_subcore) core.way_free = last * interval + lsu.subcore_wavefront_interval_cycles;
    return last * interval;
}

void Sm::memory_instruction(std::uint32_t core_number, std::uint16_t slot, const TimingOp& op, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const LsuParameters& lsu = platform_.lsu;
    const std::uint64_t entry = enter_memory_unit(cores_[core_number], op, now);
    if (op.read_barrier < 6) {
        hold(warp, op.read_barrier, false);
        // Registers of data beyond the first follow one another.
        const std::uint64_t more = op.data_registers > 1 ? op.data_registers - 1 : 0;
        release_later(slot, op.read_barrier, entry + lsu.store_read_latency_cycles + more * lsu.operand_register_cycles,
                      Event::Kind::release_read);
    }
    if (op.action == Action::memory) {
        access_memory(slot, op, entry);
        return;
    }
    std::uint64_t done = entry + op.latency;
    if (op.action == Action::constant_load) {
        const std::uint64_t there = op.constant_line != 0 ? fetch_.constant(op.constant_line, entry) : entry;
        done = std::max(there, entry) + lsu.constant_latency_cycles;
    } else if (op.action == Action::shuffle) {
        done = reserve_data(cores_[core_number], entry, 1, true) + lsu.shuffle_latency_cycles;
    }
    result_at(slot, op, done);
}

void Sm::access_memory(std::uint16_t slot, const TimingOp& op, std::uint64_t entry) {
    warps_[slot].trace->pop_access(access_);
    switch (op.site.space) {
        case MemorySpace::none: return;
        case MemorySpace::shared: shared_access(slot, op, access_, entry); return;
        case MemorySpace::local: local_access(slot, op, access_, entry); return;
        case MemorySpace::global: global_access(slot, op, access_, entry); return;
        case MemorySpace::generic: break;
    }
    // The lanes of each space are an access of their own; the scoreboard clears when all are done.
    const LanesBySpace lanes = lanes_by_space(op.site.space, access_);
    const bool nowhere = access_.mask == 0;
    if (lanes.shared != 0) {
        access_.mask = lanes.shared;
        shared_access(slot, op, access_, entry);
    }
    if (lanes.local != 0) {
        access_.mask = lanes.local;
        local_access(slot, op, access_, entry);
    }
    if (lanes.global != 0 || nowhere) {
        access_.mask = lanes.global;
        global_access(slot, op, access_, entry);
    }
}

std::uint32_t Sm::count_shared(std::uint16_t slot, const TimingOp& op, const AccessRecord& access,
                               SharedAccessKind kind) {
    const BankGeometry banks{.banks = platform_.sm.shared_banks, .bank_bytes = platform_.sm.shared_bank_bytes};
    const Wavefronts wavefronts = shared_wavefronts(access, op.site.width, kind, banks);
    instruction_counters_.add_shared(warps_[slot].pc, wavefronts);
    return wavefronts.actual;
}

void Sm::shared_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const SharedAccessKind kind = op.site.kind;
    const std::uint32_t wavefronts = count_shared(slot, op, access, kind);
    const std::uint64_t last = reserve_data(cores_[slot % subcores_], entry, wavefronts, true);
    const bool loads = kind == SharedAccessKind::load || kind == SharedAccessKind::matrix_load;
    std::uint64_t latency = loads                             ? lsu.shared_load_latency_cycles
                            : kind == SharedAccessKind::store ? lsu.shared_store_latency_cycles
                                                              : lsu.shared_atomic_latency_cycles;
    if (kind == SharedAccessKind::load && op.site.width > 4 && wavefronts > 1)
        latency += std::uint64_t{std::min(op.site.width / 4, wavefronts) - 1} * lsu.load_register_cycles;
    result_at(slot, op, last + latency);
}

}  // namespace sassafras::sim
