// Global and local memory: L1 and the way to the crossbar.
#include <algorithm>
#include <bit>

#include "sim/timing/sm/memory_unit.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

MemoryUnit::Waits MemoryUnit::global(const Requester& from, const TimingOp& op, const AccessRecord& access,
                                     const CopyTarget& copy, std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const std::uint64_t came = entry;
    entry = stages_.hold(std::max({entry, store_path_.lookups_from(), lookups_from_}));
    global_lines(access, op.site.width, {.line_bytes = lsu.l1_line_bytes, .sector_bytes = lsu.sector_bytes}, lines_);
    instruction_counters_.add_global(from.pc, lines_, access.mask);
    if (op.site.kind != SharedAccessKind::load)
        counters_["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum"_metric] += lines_.sector_count;
    if (!op.site.returns) {
        if (op.site.kind == SharedAccessKind::store && access.mask != 0)
            counters_["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"_metric] += 1;
        return {.acknowledge = store_lines(from, op, access, came, entry)};
    }
    if (op.site.kind == SharedAccessKind::load) {
        counters_["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup.sum"_metric] += lines_.sector_count;
        if (access.mask != 0) counters_["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"_metric] += 1;
    }
    load_lines(from, op, access, copy, entry, false);
    stages_.hold(std::max(lookups_from_, last_left_));
    return {.loads = 1};
}

/// What is wider than a word takes a pass for each.
MemoryUnit::Waits MemoryUnit::local(const Requester& from, const TimingOp& op, const AccessRecord& access,
                                    std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const std::uint32_t width = std::min(op.site.width, local_word_bytes);
    Waits waits;
    std::uint32_t lines = 0;
    std::uint32_t sectors = 0;
    part_.mask = access.mask;
    for (std::uint32_t word = 0; word < op.site.width / width; ++word) {
        for (std::uint64_t lane = 0; lane < warp_size; ++lane)
            part_.address[lane] =
                local_layout_.place(from.warp.slot, lane, access.address[lane] & (window_bytes - 1), word);
        global_lines(part_, width, {.line_bytes = lsu.l1_line_bytes, .sector_bytes = lsu.sector_bytes}, lines_);
        lines += lines_.line_count;
        sectors += lines_.sector_count;
        if (op.site.kind != SharedAccessKind::store) {
            load_lines(from, op, part_, {}, entry, true);
            ++waits.loads;
        }
        if (op.site.kind != SharedAccessKind::load)
            store_lines_to_l1(from, op, word, entry, static_cast<std::uint32_t>(std::popcount(part_.mask)) * width);
    }
    instruction_counters_.add_local(from.pc, lines, sectors);
    return waits;
}

std::uint32_t MemoryUnit::new_miss(SectoredCache::Line* line, std::uint64_t tag, std::uint32_t sectors,
                                   std::uint64_t time, RequestKind kind, const LineUpdates& updates) {
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
    miss.atomics = 0;
    miss.waiting.clear();
    if (line != nullptr) {
        line->pending |= sectors;
        miss.older = static_cast<std::uint32_t>(line->ready);
        line->ready = token + 1;
    }
    const std::uint64_t leaves = stages_.leave(time);
    if (kind == RequestKind::atomic) {
        miss.atomics = updates.requests;
        // What it sends takes as much of the way as a reduction.
        const std::uint32_t sent = updates.sent() + (platform_.lsu.store_mask_bytes != 0 ? updates.masks() : 0);
        for (std::uint32_t i = 1; i < sent; ++i) stages_.leave(leaves);
    }
    const std::uint64_t left = load_places_.send({.time = leaves,
                                                  .line = tag,
                                                  .sectors = sectors,
                                                  .token = token,
                                                  .sm = static_cast<std::uint16_t>(shape_.sm),
                                                  .kind = kind,
                                                  .updates = updates},
                                                 stages_.now(), outbox_);
    if (stages_.keeps_places()) {
        const std::uint64_t room =
            leaves - std::min<std::uint64_t>(
                         leaves, platform_.lsu.miss_buffer_lines * std::uint64_t{platform_.lsu.miss_interval_cycles});
        lookups_from_ = std::max(lookups_from_, room);
        last_left_ = std::max(last_left_, left == leaves ? room : left);
    }
    return token;
}

void MemoryUnit::send_store(const LineAccess& line, std::uint64_t time, MemoryRequest request, std::uint32_t bytes) {
    request.time = time;
    request.line = line.line;
    request.sectors = line.sectors;
    request.sm = static_cast<std::uint16_t>(shape_.sm);
    store_path_.take(request, bytes, outbox_);
}

void MemoryUnit::count_updates(const TimingOp& op, const AccessRecord& access) {
    line_updates(access, op.site.width, op.update_operands,
                 {.line_bytes = platform_.lsu.l1_line_bytes, .sector_bytes = platform_.lsu.sector_bytes}, lines_,
                 updates_);
}

/// Of so many bytes that an access writes to all of its sectors, a line's.
std::uint32_t MemoryUnit::bytes_of_line(const LineAccess& line, std::uint32_t bytes) const {
    const auto sectors = static_cast<std::uint32_t>(std::popcount(line.sectors));
    return std::min(bytes * sectors / lines_.sector_count, sectors * platform_.lsu.sector_bytes);
}

/// What is stored goes through the data stage, where words of one bank are apart, as in shared memory
/// (validate/records/h200/probes/lsu_entry.cu, l1_stores.cu), once it is `there`. `more` wavefronts are booked so much
/// later that they take the stage's time (l1_mix.cu: a store beside loads costs two), but not that of the loads right
/// behind it (spills.cu: chains of four warps in local memory take as long as one's). Of a store whose words conflict
/// the cycle of its last wavefront, before which none of its lines leaves the SM (store_shadow.cu); 0 of others, whose
/// lines go on meanwhile.
std::uint64_t MemoryUnit::take_data(const Requester& from, const AccessRecord& access, std::uint32_t width,
                                    std::uint64_t there, std::uint32_t more) {
    if (platform_.lsu.store_wavefronts == 0) return 0;
    const std::uint32_t of_registers = registers_of_width(width);
    std::uint32_t wavefronts = of_registers;
    if (lines_.line_count > 1) {
        const BankGeometry banks{.banks = platform_.sm.shared_banks, .bank_bytes = platform_.sm.shared_bank_bytes};
        wavefronts = std::max(wavefronts, shared_wavefronts(access, width, SharedAccessKind::store, banks).actual);
    }
    count_wavefronts(wavefronts);
    const std::uint64_t last =
        stages_.pass({.subcore = from.subcore, .warp = from.warp.slot, .wavefronts = wavefronts}, there);
    if (of_registers + more > wavefronts)
        stages_.reserve_data(there + platform_.lsu.data_buffer_cycles, of_registers + more - wavefronts);
    return wavefronts > of_registers ? last : 0;
}

/// Data are written through, but L1 keeps a place for a line that is stored to, without its sectors, as for one that is
/// loaded (row_walk.cu: 2,048 lines of loads and stores in turns are more than it has). Lines leave behind the words of
/// loads that came before (validate/records/h200/probes/row_walk.cu: pairs of a load of one bank and a store of 32
/// lines take what both take). The data go through their stage from when the store `came`, also while it waits for its
/// lookups until `entry`.
bool MemoryUnit::store_lines(const Requester& from, const TimingOp& op, const AccessRecord& access, std::uint64_t came,
                             std::uint64_t entry) {
    MemoryRequest request{.kind = RequestKind::store};
    const std::uint32_t bytes = static_cast<std::uint32_t>(std::popcount(access.mask)) * op.site.width;
    if (op.site.kind == SharedAccessKind::atomic) {
        request.kind = RequestKind::reduction;
        count_updates(op, access);
    }
    if (op.acknowledged && lines_.line_count != 0) {
        request.acknowledge = true;
        request.token = new_load(from, Scoreboards::none);
        loads_[request.token].outstanding = static_cast<std::uint8_t>(lines_.line_count);
    }
    const std::uint64_t through = take_data(from, access, op.site.width, came + sending_cycles(op, op.data_registers),
                                            platform_.lsu.store_wavefronts);
    const bool keeps = platform_.lsu.l1_global_loads == L1GlobalLoads::cached;
    TagPasses passes;
    for (std::uint32_t i = 0; i < lines_.line_count; ++i) {
        const std::uint64_t tag = stages_.look_up_tag(passes, lines_.lines[i].line, entry);
        const std::uint64_t line = lines_.lines[i].line;
        if (request.kind == RequestKind::store && l1_.has(line))
            counters_["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum"_metric] +=
                static_cast<std::uint64_t>(std::popcount(lines_.lines[i].sectors));
        if (keeps) l1_line(line, tag);
        if (request.kind == RequestKind::reduction) request.updates = updates_[i];
        send_store(lines_.lines[i], std::max({tag, through, loads_through_}), request,
                   bytes_of_line(lines_.lines[i], bytes));
    }
    return request.acknowledge;
}

/// Only this warp can read what it stores to local memory, so L1 keeps it; whether L2 hears of it now or when the line
/// is evicted is the platform's matter.
void MemoryUnit::store_lines_to_l1(const Requester& from, const TimingOp& op, std::uint32_t word, std::uint64_t entry,
                                   std::uint32_t bytes) {
    const bool goes_on = platform_.lsu.local_stores == LocalStores::write_through;
    take_data(from, part_, local_word_bytes, entry + sending_cycles(op, op.data_registers),
              word == 0 ? platform_.lsu.store_wavefronts : 0);
    TagPasses passes;
    for (std::uint32_t i = 0; i < lines_.line_count; ++i) {
        const std::uint64_t tag = stages_.look_up_tag(passes, lines_.lines[i].line, entry);
        SectoredCache::Line& line = l1_line(lines_.lines[i].line, tag);
        counters_["l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum"_metric] +=
            static_cast<std::uint64_t>(std::popcount(lines_.lines[i].sectors & line.valid));
        counters_["l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum"_metric] +=
            static_cast<std::uint64_t>(std::popcount(lines_.lines[i].sectors & ~line.valid));
        line.valid |= lines_.lines[i].sectors;
        if (goes_on)
            send_store(lines_.lines[i], tag, {.kind = RequestKind::store}, bytes_of_line(lines_.lines[i], bytes));
        else
            line.dirty |= lines_.lines[i].sectors;
    }
}

SectoredCache::Line& MemoryUnit::l1_line(std::uint64_t tag, std::uint64_t time) {
    if (SectoredCache::Line* line = l1_.find(tag); line != nullptr) return *line;
    SectoredCache::Line victim;
    SectoredCache::Line* line = l1_.allocate(tag, victim);
    if (victim.dirty != 0)
        send_store({.line = victim.tag, .sectors = victim.dirty}, time, {.kind = RequestKind::store},
                   platform_.lsu.l1_line_bytes);
    return *line;
}

void MemoryUnit::load_lines(const Requester& from, const TimingOp& op, const AccessRecord& access,
                            const CopyTarget& copy, std::uint64_t entry, bool local) {
    const bool atomic = op.site.kind == SharedAccessKind::atomic && !local;
    const std::uint32_t width = local ? std::min(op.site.width, local_word_bytes) : op.site.width;
    const std::uint32_t wavefronts = wavefronts_of_load(access, width, local);
    count_wavefronts(wavefronts);
    const std::uint32_t token = new_load(from, op.write_barrier);
    loads_[token].copy_group = copy.group;
    loads_[token].copy_wavefronts = copy.wavefronts;

    if (atomic) count_updates(op, access);
    const Lookups lookups = ask_for_lines(op, token, entry, local);
    LoadOperation& load = loads_[token];
    load.outstanding = lookups.outstanding;
    Passage passage{
        .subcore = from.subcore, .warp = from.warp.slot, .wavefronts = wavefronts, .whole_registers = local};
    if (lookups.outstanding != 0) {
        // As many with each line that comes; those that are left over come with the lines that L1 had.
        const std::uint32_t fills = lookups.outstanding;
        const std::uint32_t later = wavefronts < fills ? wavefronts : wavefronts / fills * fills;
        load.fills = lookups.outstanding;
        load.wavefronts_of_fills = static_cast<std::uint16_t>(later);
        if (later < wavefronts) {
            passage.wavefronts = wavefronts - later;
            load.finish = stages_.pass(passage, lookups.data_from);
        }
        return;
    }
    passage.registers = registers_of_width(width);
    // Registers beyond the first come one after another.
    const std::uint64_t more = std::uint64_t{passage.registers - 1} * platform_.lsu.load_register_cycles;
    // The latency is of an address in two registers.
    const std::uint32_t sent = sending_cycles(op, 0);
    const std::uint64_t passed = stages_.pass(passage, lookups.data_from + sent);
    if (passage.wavefronts > 1) loads_through_ = std::max(loads_through_, passed);
    load.finish = passed + (platform_.lsu.lines_per_wavefront == 0 ? more : 0) -
                  2 * std::uint64_t{platform_.lsu.address_register_cycles};
    finish_load(token);
}

/// Of the words of a line, each lies in a bank of its own, as in shared memory, and whatever the lanes read, a register
/// takes a wavefront (validate/records/h200/probes/l1_gather.cu). Lanes' words of local memory lie side by side.
std::uint32_t MemoryUnit::wavefronts_of_load(const AccessRecord& access, std::uint32_t width, bool local) const {
    const SmParameters& sm = platform_.sm;
    const std::uint32_t lines_a_wavefront = platform_.lsu.lines_per_wavefront;
    if (lines_a_wavefront != 0) {
        const std::uint32_t row_bytes = sm.shared_banks * sm.shared_bank_bytes;
        const std::uint32_t by_width =
            (static_cast<std::uint32_t>(std::popcount(access.mask)) * width + row_bytes - 1) / row_bytes;
        const std::uint32_t by_lines = (lines_.line_count + lines_a_wavefront - 1) / lines_a_wavefront;
        return std::max({1U, by_width, by_lines});
    }
    if (local || lines_.line_count <= 1) return registers_of_width(width);
    const BankGeometry banks{.banks = sm.shared_banks, .bank_bytes = sm.shared_bank_bytes};
    return std::max(registers_of_width(width), shared_wavefronts(access, width, SharedAccessKind::load, banks).actual);
}

/// Looks the lines up, and asks L2 for what is not there.
MemoryUnit::Lookups MemoryUnit::ask_for_lines(const TimingOp& op, std::uint32_t token, std::uint64_t entry,
                                              bool local) {
    const bool atomic = op.site.kind == SharedAccessKind::atomic && !local;
    Lookups lookups;
    std::uint64_t first = entry;
    std::uint64_t last = entry;
    TagPasses passes;
    for (std::uint32_t i = 0; i < lines_.line_count; ++i) {
        const LineAccess& wanted = lines_.lines[i];
        const std::uint64_t time = stages_.look_up_tag(passes, wanted.line, entry);
        if (i == 0) first = time;
        last = std::max(last, time);
        if (atomic || (op.bypasses_l1 && !local)) {
            const RequestKind kind = atomic ? RequestKind::atomic : RequestKind::load;
            const LineUpdates updates = atomic ? updates_[i] : LineUpdates{};
            misses_[new_miss(nullptr, wanted.line, wanted.sectors, time, kind, updates)].waiting.push_back(token);
            ++lookups.outstanding;
        } else {
            lookups.outstanding =
                static_cast<std::uint8_t>(lookups.outstanding + look_up_line(wanted, token, time, local));
        }
    }
    lookups.data_from = platform_.lsu.lines_per_wavefront == 0 ? last : first;
    return lookups;
}

std::uint8_t MemoryUnit::look_up_line(const LineAccess& wanted, std::uint32_t token, std::uint64_t time, bool local) {
    std::uint8_t outstanding = 0;
    SectoredCache::Line* line = &l1_line(wanted.line, time);
    const std::uint32_t missing = wanted.sectors & ~line->valid & ~line->pending;
    const auto hits = static_cast<std::uint64_t>(std::popcount(wanted.sectors & ~missing));
    if (local) {
        counters_["l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"_metric] += hits;
        counters_["l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum"_metric] +=
            static_cast<std::uint64_t>(std::popcount(missing));
    } else {
        counters_["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"_metric] += hits;
        counters_["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum"_metric] +=
            static_cast<std::uint64_t>(std::popcount(missing));
    }
    if ((line->pending & wanted.sectors) != 0) {
        for (auto at = static_cast<std::uint32_t>(line->ready); at != 0; at = misses_[at - 1].older) {
            if ((misses_[at - 1].sectors & wanted.sectors & ~line->valid) == 0) continue;
            misses_[at - 1].waiting.push_back(token);
            ++outstanding;
        }
    }
    if (missing != 0) {
        const LsuParameters& lsu = platform_.lsu;
        const std::uint32_t of_line = (1U << (lsu.l1_line_bytes / lsu.sector_bytes)) - 1U;
        const std::uint32_t fetched =
            whole_granules(missing, lsu.l1_fill_bytes / lsu.sector_bytes) & of_line & ~line->valid & ~line->pending;
        misses_[new_miss(line, wanted.line, fetched, time, RequestKind::load, {})].waiting.push_back(token);
        ++outstanding;
    }
    return outstanding;
}

}  // namespace sassafras::sim
