// The memory unit of an SM: queues of the sub-cores, the data stage that they share, shared memory. Stages are reserved
// at issue: each keeps the cycle from which it is free, so a wait costs no simulation work.
#include <algorithm>

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

std::uint64_t Sm::enter_memory_unit(SubCore& core, std::uint64_t now) {
    const LsuParameters& lsu = platform_.lsu;
    const std::uint64_t backlog = data_free_ > lsu.data_buffer_cycles ? data_free_ - lsu.data_buffer_cycles : 0;
    const std::uint64_t entry = std::max({now, core.memory_free, accept_free_, backlog});
    core.memory_free = entry + lsu.issue_interval_cycles;
    accept_free_ = entry + lsu.accept_interval_cycles;
    core.queue[core.queue_at] = entry;
    core.queue_at = (core.queue_at + 1) % core.queue.size();
    return entry;
}

/// Books the data stage, and the path back to the sub-core where data returns. The cycle at which the last wavefront
/// goes through.
std::uint64_t Sm::reserve_data(SubCore& core, std::uint64_t from, std::uint32_t wavefronts, bool returns) {
    if (wavefronts == 0) return from;
    const LsuParameters& lsu = platform_.lsu;
    std::uint64_t start = std::max(from, data_free_);
    std::uint64_t interval = lsu.wavefront_interval_cycles;
    if (returns) {
        start = std::max(start, core.return_free);
        core.return_free = start + std::uint64_t{wavefronts} * lsu.subcore_wavefront_interval_cycles;
        interval = std::max<std::uint64_t>(interval, lsu.subcore_wavefront_interval_cycles);
    }
    data_free_ = std::max(data_free_, from) + std::uint64_t{wavefronts} * lsu.wavefront_interval_cycles;
    return start + (wavefronts - 1) * interval;
}

void Sm::memory_instruction(std::uint32_t core_number, std::uint16_t slot, const TimingOp& op, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const LsuParameters& lsu = platform_.lsu;
    const std::uint64_t entry = enter_memory_unit(cores_[core_number], now);
    if (op.read_barrier < 6) {
        hold(warp, op.read_barrier, false);
        release_later(slot, op.read_barrier, entry + lsu.store_read_latency_cycles, Event::Kind::release_read);
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
    if (op.write_barrier < 6) {
        hold(warp, op.write_barrier, false);
        release_later(slot, op.write_barrier, done, Event::Kind::release_write);
    }
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
    counters_.shared_wavefronts += wavefronts.actual;
    counters_.shared_wavefronts_ideal += wavefronts.ideal;
    return wavefronts.actual;
}

void Sm::shared_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const SharedAccessKind kind = op.site.kind;
    const std::uint32_t wavefronts = count_shared(slot, op, access, kind);
    const std::uint64_t last =
        reserve_data(cores_[slot % subcores_], entry, wavefronts, kind != SharedAccessKind::store);
    const std::uint64_t latency = kind == SharedAccessKind::load    ? lsu.shared_load_latency_cycles
                                  : kind == SharedAccessKind::store ? lsu.shared_store_latency_cycles
                                                                    : lsu.shared_atomic_latency_cycles;
    if (op.write_barrier < 6) {
        hold(warps_[slot], op.write_barrier, false);
        release_later(slot, op.write_barrier, last + latency, Event::Kind::release_write);
    }
}

}  // namespace sassafras::sim
