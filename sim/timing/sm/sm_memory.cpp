// The memory path of an SM: queues of the sub-cores, the shared unit's tag and data stages, L1, requests to the
// crossbar. Stages are reserved at issue: each keeps the cycle from which it is free, so a wait costs no simulation
// work.
#include <algorithm>
#include <bit>

#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

namespace {
constexpr std::uint64_t fraction = 1ULL << 20U;

/// Lanes that update one address: atomics on it come one after the other.
std::uint8_t updates_of_fullest_word(const AccessRecord& access) {
    std::uint8_t most = 1;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if ((access.mask >> lane & 1U) == 0) continue;
        std::uint8_t same = 0;
        for (std::size_t other = 0; other < warp_size; ++other)
            same = static_cast<std::uint8_t>(
                same + ((access.mask >> other & 1U) != 0 && access.address[other] == access.address[lane] ? 1 : 0));
        most = std::max(most, same);
    }
    return most;
}
}  // namespace

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
    if (op.has_access) {
        warp.trace->pop_access(access_);
        switch (op.action) {
            case Action::shared_load:
            case Action::shared_store:
            case Action::shared_atomic: shared_access(slot, op, access_, entry); break;
            default: global_access(slot, op, access_, entry); break;
        }
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

void Sm::shared_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const BankGeometry banks{.banks = platform_.sm.shared_banks, .bank_bytes = platform_.sm.shared_bank_bytes};
    const SharedAccessKind kind = op.action == Action::shared_load    ? SharedAccessKind::load
                                  : op.action == Action::shared_store ? SharedAccessKind::store
                                                                      : SharedAccessKind::atomic;
    const Wavefronts wavefronts = shared_wavefronts(access, op.width, kind, banks);
    instruction_counters_.add_shared(warps_[slot].pc, wavefronts);
    counters_.shared_wavefronts += wavefronts.actual;
    counters_.shared_wavefronts_ideal += wavefronts.ideal;
    const std::uint64_t last =
        reserve_data(cores_[slot % subcores_], entry, wavefronts.actual, kind != SharedAccessKind::store);
    const std::uint64_t latency = kind == SharedAccessKind::load    ? lsu.shared_load_latency_cycles
                                  : kind == SharedAccessKind::store ? lsu.shared_store_latency_cycles
                                                                    : lsu.shared_atomic_latency_cycles;
    if (op.write_barrier < 6) {
        hold(warps_[slot], op.write_barrier, false);
        release_later(slot, op.write_barrier, last + latency, Event::Kind::release_write);
    }
}

std::uint32_t Sm::new_load(std::uint16_t slot, std::uint8_t scoreboard) {
    std::uint32_t token = 0;
    if (free_loads_.empty()) {
        token = static_cast<std::uint32_t>(loads_.size());
        loads_.emplace_back();
    } else {
        token = free_loads_.back();
        free_loads_.pop_back();
    }
    loads_[token] = {.warp = slot,
                     .scoreboard = scoreboard,
                     .outstanding = 0,
                     .wavefronts_a_fill = 1,
                     .finish = 0,
                     .age = warps_[slot].age};
    return token;
}

std::uint32_t Sm::new_miss(SectoredCache::Line* line, std::uint64_t tag, std::uint32_t sectors, std::uint64_t time,
                           RequestKind kind, std::uint8_t operations) {
    std::uint32_t token = 0;
    if (free_misses_.empty()) {
        token = static_cast<std::uint32_t>(misses_.size());
        misses_.emplace_back();
    } else {
        token = free_misses_.back();
        free_misses_.pop_back();
    }
    Miss& miss = misses_[token];
    miss.line = tag;
    miss.sectors = sectors;
    miss.fills_cache = line != nullptr;
    miss.older = 0;
    miss.waiting.clear();
    if (line != nullptr) {
        line->pending |= sectors;
        miss.older = static_cast<std::uint32_t>(line->ready);
        line->ready = token + 1;
    }
    outbox_.push_back({.time = time,
                       .line = tag,
                       .sectors = sectors,
                       .token = token,
                       .sm = number_,
                       .kind = kind,
                       .operations = operations});
    return token;
}

void Sm::fill(std::uint32_t token, std::uint64_t now) {
    Miss& miss = misses_[token];
    if (miss.fills_cache) {
        if (SectoredCache::Line* line = l1_.find(miss.line); line != nullptr) {
            line->valid |= miss.sectors;
            line->pending &= ~miss.sectors;
            // Take the miss out of the line's chain.
            if (line->ready == token + 1) {
                line->ready = miss.older;
            } else {
                for (auto at = static_cast<std::uint32_t>(line->ready); at != 0; at = misses_[at - 1].older) {
                    if (misses_[at - 1].older == token + 1) {
                        misses_[at - 1].older = miss.older;
                        break;
                    }
                }
            }
        }
    }
    for (const std::uint32_t waiting : miss.waiting) {
        LoadOperation& load = loads_[waiting];
        // Lines go back to the sub-core as they come.
        load.finish =
            std::max(load.finish, reserve_data(cores_[load.warp % subcores_], now, load.wavefronts_a_fill, true));
        if (--load.outstanding != 0) continue;
        if (load.scoreboard < 6)
            events_.push(load.finish + platform_.lsu.l1_hit_latency_cycles,
                         {.kind = Event::Kind::writeback, .token = waiting});
        else
            free_loads_.push_back(waiting);
    }
    miss.waiting.clear();
    free_misses_.push_back(token);
}

void Sm::global_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    global_lines(access, op.width, {.line_bytes = lsu.l1_line_bytes, .sector_bytes = lsu.sector_bytes}, global_);
    const bool local = op.action == Action::local_load || op.action == Action::local_store;
    if (!local) instruction_counters_.add_global(warps_[slot].pc, global_);
    switch (op.action) {
        case Action::global_store:
        case Action::local_store:
        case Action::global_reduction: global_store(op, entry); break;
        default: global_load(slot, op, entry); break;
    }
}

void Sm::global_store(const TimingOp& op, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const std::uint64_t tag = std::max(entry, tag_free_);
    tag_free_ = tag + (global_.line_count + lsu.tags_per_cycle - 1) / lsu.tags_per_cycle;
    const bool local = op.action == Action::local_store;
    counters_.l1_store_sectors += local ? 0 : global_.sector_count;
    counters_.l1_store_requests += local ? 0 : 1;
    for (std::uint32_t i = 0; i < global_.line_count; ++i) {
        const LineAccess& line = global_.lines[i];
        const auto bytes = static_cast<std::uint64_t>(std::popcount(line.sectors)) * lsu.sector_bytes;
        const std::uint64_t leave = std::max(store_free_, (tag + i / lsu.tags_per_cycle) * fraction);
        store_free_ = leave + bytes * fraction / lsu.store_bytes_per_cycle;
        outbox_.push_back(
            {.time = leave / fraction,
             .line = line.line,
             .sectors = line.sectors,
             .token = 0,
             .sm = number_,
             .kind = op.action == Action::global_reduction ? RequestKind::reduction : RequestKind::store,
             .operations = op.action == Action::global_reduction ? updates_of_fullest_word(access_) : std::uint8_t{1}});
    }
}

void Sm::global_load(std::uint16_t slot, const TimingOp& op, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const bool atomic = op.action == Action::global_atomic;
    const bool local = op.action == Action::local_load;
    Warp& warp = warps_[slot];
    // Data comes back in wavefronts: as many as the lines hold apart, and no fewer than the width needs.
    const std::uint32_t row_bytes = platform_.sm.shared_banks * platform_.sm.shared_bank_bytes;
    const std::uint32_t by_width =
        (static_cast<std::uint32_t>(std::popcount(access_.mask)) * op.width + row_bytes - 1) / row_bytes;
    const std::uint32_t by_lines = (global_.line_count + lsu.lines_per_wavefront - 1) / lsu.lines_per_wavefront;
    const std::uint32_t wavefronts = std::max({1U, by_width, by_lines});
    const std::uint32_t token = new_load(slot, op.write_barrier);
    if (op.write_barrier < 6) hold(warp, op.write_barrier, true);

    const std::uint64_t tag = std::max(entry, tag_free_);
    tag_free_ = tag + std::max<std::uint64_t>(1, (global_.line_count + lsu.tags_per_cycle - 1) / lsu.tags_per_cycle);
    if (!atomic) {
        counters_.l1_load_sectors += local ? 0 : global_.sector_count;
        counters_.l1_load_requests += local ? 0 : 1;
    }
    const std::uint8_t updates = atomic ? updates_of_fullest_word(access_) : std::uint8_t{1};
    std::uint8_t outstanding = 0;
    for (std::uint32_t i = 0; i < global_.line_count; ++i) {
        const LineAccess& wanted = global_.lines[i];
        const std::uint64_t time = tag + i / lsu.tags_per_cycle;
        if (atomic || op.bypasses_l1) {
            const RequestKind kind = atomic ? RequestKind::atomic : RequestKind::load;
            misses_[new_miss(nullptr, wanted.line, wanted.sectors, time, kind, updates)].waiting.push_back(token);
            ++outstanding;
            continue;
        }
        SectoredCache::Line* line = l1_.find(wanted.line);
        if (line == nullptr) {
            SectoredCache::Line victim;
            line = l1_.allocate(wanted.line, victim);
        }
        const std::uint32_t missing = wanted.sectors & ~line->valid & ~line->pending;
        counters_.l1_load_hit_sectors += static_cast<std::uint64_t>(std::popcount(wanted.sectors & ~missing));
        if ((line->pending & wanted.sectors) != 0) {
            for (auto at = static_cast<std::uint32_t>(line->ready); at != 0; at = misses_[at - 1].older) {
                if ((misses_[at - 1].sectors & wanted.sectors & ~line->valid) == 0) continue;
                misses_[at - 1].waiting.push_back(token);
                ++outstanding;
            }
        }
        if (missing != 0) {
            misses_[new_miss(line, wanted.line, missing, time, RequestKind::load, 1)].waiting.push_back(token);
            ++outstanding;
        }
    }
    LoadOperation& load = loads_[token];
    load.outstanding = outstanding;
    if (outstanding != 0) {
        load.wavefronts_a_fill = static_cast<std::uint16_t>(std::max<std::uint32_t>(1, wavefronts / outstanding));
        const std::uint32_t later = load.wavefronts_a_fill * std::uint32_t{outstanding};
        if (later < wavefronts) load.finish = reserve_data(cores_[slot % subcores_], tag, wavefronts - later, true);
        return;
    }
    const std::uint64_t last = reserve_data(cores_[slot % subcores_], tag, wavefronts, true);
    if (op.write_barrier < 6)
        events_.push(last + lsu.l1_hit_latency_cycles, {.kind = Event::Kind::writeback, .token = token});
    else
        free_loads_.push_back(token);
}

}  // namespace sassafras::sim
