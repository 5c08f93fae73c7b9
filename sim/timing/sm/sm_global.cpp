// The L1 cache of an SM and its way to the crossbar: global and local memory.
#include <algorithm>
#include <bit>

#include "sim/timing/cycle_fraction.hpp"
#include "sim/timing/sm/sm.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

namespace {

/// Where the model keeps the local memory of warps: beyond every address of a program.
constexpr std::uint64_t local_memory = std::uint64_t{1} << 48U;
constexpr std::uint32_t local_word_bytes = 4;  ///< words of the 32 lanes lie side by side

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
                     .pc = warps_[slot].pc,
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
                       .sm = static_cast<std::uint16_t>(number_),
                       .kind = kind,
                       .operations = operations});
    return token;
}

void Sm::fill(std::uint32_t token, std::uint64_t now) {
    if (platform_.lsu.wavefront_interval_cycles == 1) data_.advance(now);
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
        if (--load.outstanding == 0) finish_load(waiting);
    }
    miss.waiting.clear();
    free_misses_.push_back(token);
}

/// All is back but for the last wavefronts that are booked.
void Sm::finish_load(std::uint32_t token) {
    LoadOperation& load = loads_[token];
    if (load.copy_group != 0)
        load.finish = reserve_data(cores_[load.warp % subcores_], load.finish, load.copy_wavefronts, false);
    if (load.scoreboard < 6 || load.copy_group != 0)
        events_.push(load.finish + platform_.lsu.l1_hit_latency_cycles,
                     {.kind = Event::Kind::writeback, .token = token});
    else
        free_loads_.push_back(token);
}

void Sm::global_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    global_lines(access, op.site.width, {.line_bytes = lsu.l1_line_bytes, .sector_bytes = lsu.sector_bytes}, global_);
    instruction_counters_.add_global(warps_[slot].pc, global_);
    if (!op.site.returns) {
        counters_["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum"_metric] += global_.sector_count;
        counters_["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"_metric] += 1;
        store_lines(slot, op, access, entry);
        return;
    }
    if (op.site.kind == SharedAccessKind::load) {
        counters_["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup.sum"_metric] += global_.sector_count;
        counters_["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"_metric] += 1;
    }
    load_lines(slot, op, access, op.site.width, entry, false);
}

/// A thread's words lie 32 words apart, so that lanes which access the same address of theirs share a line; what is
/// wider than a word takes a pass for each. The memory belongs to the warp's slot.
void Sm::local_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const std::uint64_t region = window_bytes * warp_size;
    const std::uint64_t base = local_memory + (std::uint64_t{number_} * warps_.size() + slot) * region;
    const std::uint32_t width = std::min(op.site.width, local_word_bytes);
    part_.mask = access.mask;
    for (std::uint32_t word = 0; word < op.site.width / width; ++word) {
        for (std::uint64_t lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t address = access.address[lane] & (window_bytes - 1);
            part_.address[lane] = base + ((address / local_word_bytes + word) * warp_size + lane) * local_word_bytes +
                                  address % local_word_bytes;
        }
        global_lines(part_, width, {.line_bytes = lsu.l1_line_bytes, .sector_bytes = lsu.sector_bytes}, global_);
        if (op.site.kind != SharedAccessKind::store) load_lines(slot, op, part_, width, entry, true);
        if (op.site.kind != SharedAccessKind::load) store_lines_to_l1(entry);
    }
}

std::uint64_t Sm::look_up_tag(std::uint32_t number, std::uint64_t before) {
    if (platform_.lsu.tags_per_cycle != 1 && number % platform_.lsu.tags_per_cycle != 0) return before;
    return tags_.take(number == 0 ? before : before + 1);
}

void Sm::send_store(const LineAccess& line, std::uint64_t time, MemoryRequest request) {
    const auto bytes = static_cast<std::uint64_t>(std::popcount(line.sectors)) * platform_.lsu.sector_bytes;
    const std::uint64_t place = stores_sent_++ % store_places_.size();
    const std::uint64_t leave = std::max(store_free_, std::max(time, store_places_[place]) * fraction);
    store_places_[place] = leave / fraction + platform_.l2.hit_latency_cycles;
    store_free_ = leave + bytes * fraction / platform_.lsu.store_bytes_per_cycle;
    request.time = leave / fraction;
    request.credit = static_cast<std::uint16_t>(place);
    request.line = line.line;
    request.sectors = line.sectors;
    request.sm = static_cast<std::uint16_t>(number_);
    outbox_.push_back(request);
}

/// Stores and reductions: through to L2, without a place in L1.
void Sm::store_lines(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry) {
    MemoryRequest request{.kind = RequestKind::store};
    const std::uint32_t bytes = static_cast<std::uint32_t>(std::popcount(access.mask)) * op.site.width;
    request.partial = bytes < global_.sector_count * platform_.lsu.sector_bytes;
    if (op.site.kind == SharedAccessKind::atomic) {
        request.kind = RequestKind::reduction;
        request.operations = updates_of_fullest_word(access);
    }
    if (op.acknowledged && global_.line_count != 0) {
        request.acknowledge = true;
        request.token = new_load(slot, 7);
        loads_[request.token].outstanding = static_cast<std::uint8_t>(global_.line_count);
        ++warps_[slot].unacknowledged;
    }
    std::uint64_t tag = entry;
    for (std::uint32_t i = 0; i < global_.line_count; ++i) {
        tag = look_up_tag(i, tag);
        send_store(global_.lines[i], tag, request);
    }
}

/// Stores to local memory stay in L1 until their line is evicted: only this warp can read them.
void Sm::store_lines_to_l1(std::uint64_t entry) {
    std::uint64_t tag = entry;
    for (std::uint32_t i = 0; i < global_.line_count; ++i) {
        tag = look_up_tag(i, tag);
        SectoredCache::Line& line = l1_line(global_.lines[i].line, tag);
        line.valid |= global_.lines[i].sectors;
        line.dirty |= global_.lines[i].sectors;
    }
}

SectoredCache::Line& Sm::l1_line(std::uint64_t tag, std::uint64_t time) {
    if (SectoredCache::Line* line = l1_.find(tag); line != nullptr) return *line;
    SectoredCache::Line victim;
    SectoredCache::Line* line = l1_.allocate(tag, victim);
    if (victim.dirty != 0)
        send_store({.line = victim.tag, .sectors = victim.dirty}, time, {.kind = RequestKind::store});
    return *line;
}

/// Loads, and atomics that return: of the lines in global_.
void Sm::load_lines(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint32_t width,
                    std::uint64_t entry, bool local) {
    const LsuParameters& lsu = platform_.lsu;
    const bool atomic = op.site.kind == SharedAccessKind::atomic && !local;
    // Data comes back in wavefronts: as many as the lines hold apart, and no fewer than the width needs.
    const std::uint32_t row_bytes = platform_.sm.shared_banks * platform_.sm.shared_bank_bytes;
    const std::uint32_t by_width =
        (static_cast<std::uint32_t>(std::popcount(access.mask)) * width + row_bytes - 1) / row_bytes;
    const std::uint32_t by_lines = (global_.line_count + lsu.lines_per_wavefront - 1) / lsu.lines_per_wavefront;
    const std::uint32_t wavefronts = std::max({1U, by_width, by_lines});
    const std::uint32_t token = new_load(slot, op.write_barrier);
    if (registers_)
        registers_->hold(slot, warps_[slot].pc);
    else if (op.write_barrier < 6)
        hold(warps_[slot], op.write_barrier, true);
    if (op.site.copies_to_shared) start_copy(slot, op, token);

    std::uint64_t first = entry;
    std::uint64_t time = entry;
    const std::uint8_t updates = atomic ? updates_of_fullest_word(access) : std::uint8_t{1};
    std::uint8_t outstanding = 0;
    for (std::uint32_t i = 0; i < global_.line_count; ++i) {
        const LineAccess& wanted = global_.lines[i];
        time = look_up_tag(i, time);
        if (i == 0) first = time;
        if (atomic || (op.bypasses_l1 && !local)) {
            const RequestKind kind = atomic ? RequestKind::atomic : RequestKind::load;
            misses_[new_miss(nullptr, wanted.line, wanted.sectors, time, kind, updates)].waiting.push_back(token);
            ++outstanding;
            continue;
        }
        SectoredCache::Line* line = &l1_line(wanted.line, time);
        const std::uint32_t missing = wanted.sectors & ~line->valid & ~line->pending;
        if (!local)
            counters_["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"_metric] +=
                static_cast<std::uint64_t>(std::popcount(wanted.sectors & ~missing));
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
        if (later < wavefronts) load.finish = reserve_data(cores_[slot % subcores_], first, wavefronts - later, true);
        return;
    }
    load.finish = reserve_data(cores_[slot % subcores_], first, wavefronts, true);
    finish_load(token);
}

}  // namespace sassafras::sim
