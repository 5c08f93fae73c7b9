#include "sim/timing/sm/memory_unit.hpp"

#include <algorithm>
#include <bit>

#include "sim/timing/cycle_fraction.hpp"

namespace sassafras::sim {

namespace {

/// A line that is under way has its place in L1, also if it will not stay there
/// (validate/records/h200/probes/loads_in_l1.cu).
std::uint32_t places_of(const LsuParameters& lsu, const MemoryUnit::Shape& shape) {
    if (lsu.outstanding_loads != 0 || lsu.data_buffer_accesses == 0) return lsu.outstanding_loads;
    return static_cast<std::uint32_t>(shape.l1_lines);
}

}  // namespace

MemoryUnit::MemoryUnit(const Platform& platform, const Shape& shape, SmEvents& events)
    : platform_(platform),
      shape_(shape),
      local_layout_(shape.sm, shape.slots, shape.local_bytes),
      events_(events),
      stages_(platform.lsu, platform.sm.subcores, shape.slots),
      store_path_(platform.lsu, platform.l2.hit_latency_cycles),
      load_places_(places_of(platform.lsu, shape), platform.l2.hit_latency_cycles),
      return_cost_(byte_cost(platform.lsu.return_bytes_per_cycle)),
      l1_(shape.l1_lines, platform.lsu.l1_ways, platform.lsu.l1_replacement, shape.sm),
      instruction_counters_(shape.instructions),
      known_of_(shape.instructions) {}

std::uint64_t MemoryUnit::enter(std::uint32_t subcore, std::uint32_t warp, const TimingOp& op, std::uint64_t now) {
    std::uint64_t earliest = 0;
    const bool leaves_sm =
        op.site.space == MemorySpace::global || op.site.space == MemorySpace::generic ||
        (op.site.space == MemorySpace::local && platform_.lsu.local_stores == LocalStores::write_through);
    if (op.action == Action::memory && !op.site.returns && leaves_sm) {
        earliest = store_path_.room_at();
    }
    return stages_.enter(subcore, warp, {.address = op.address_registers, .data = op.data_registers}, now, earliest);
}

std::uint32_t MemoryUnit::count_shared(std::uint32_t pc, const TimingOp& op, const AccessRecord& access,
                                       SharedAccessKind kind) {
    std::uint32_t& known = known_of_[pc];
    if (known == 0) {
        known_.emplace_back(
            BankGeometry{.banks = platform_.sm.shared_banks, .bank_bytes = platform_.sm.shared_bank_bytes});
        known = static_cast<std::uint32_t>(known_.size());
    }
    const Wavefronts wavefronts = known_[known - 1].of(access, op.site.width, kind);
    instruction_counters_.add_shared(pc, wavefronts);
    return wavefronts.actual;
}

std::uint64_t MemoryUnit::shared(const Requester& from, const TimingOp& op, const AccessRecord& access,
                                 std::uint64_t entry) {
    const LsuParameters& lsu = platform_.lsu;
    const SharedAccessKind kind = op.site.kind;
    const std::uint32_t wavefronts = count_shared(from.pc, op, access, kind);
    const bool loads = kind == SharedAccessKind::load || kind == SharedAccessKind::matrix_load;
    // Words that are stored go on register by register, as they come. Latencies are of an address in one register.
    const std::uint32_t sent = sending_cycles(op, loads ? 0 : 1);
    const std::uint32_t sent_of_one = sent - (op.address_registers - 1) * lsu.address_register_cycles;
    const std::uint64_t last =
        stages_.pass({.subcore = from.subcore,
                      .warp = from.warp.slot,
                      .wavefronts = wavefronts,
                      .registers = kind == SharedAccessKind::load ? registers_of_width(op.site.width) : 0,
                      .shared_memory = true},
                     entry + sent);
    // Nothing waits for a store.
    const bool swaps = kind == SharedAccessKind::swap || kind == SharedAccessKind::try_swap;
    std::uint64_t latency = loads   ? lsu.shared_load_latency_cycles
                            : swaps ? lsu.shared_swap_latency_cycles
                                    : lsu.shared_atomic_latency_cycles;
    if (kind == SharedAccessKind::load && op.site.width > 4 && wavefronts > 1)
        latency += std::uint64_t{std::min(op.site.width / 4, wavefronts) - 1} * lsu.load_register_cycles;
    return last + latency - sent_of_one;
}

std::uint32_t MemoryUnit::new_load(const Requester& from, std::uint8_t scoreboard) {
    std::uint32_t token = 0;
    if (free_loads_.empty()) {
        token = static_cast<std::uint32_t>(loads_.size());
        loads_.emplace_back();
    } else {
        token = free_loads_.back();
        free_loads_.pop_back();
    }
    loads_[token] = {.requester = from, .scoreboard = scoreboard};
    return token;
}

LoadOperation MemoryUnit::finished(std::uint32_t token) {
    free_loads_.push_back(token);
    return loads_[token];
}

bool MemoryUnit::acknowledged(std::uint32_t token, WarpName& warp) {
    if (--loads_[token].outstanding != 0) return false;
    warp = finished(token).requester.warp;
    return true;
}

/// All is back but for the last wavefronts that are booked.
void MemoryUnit::finish_load(std::uint32_t token) {
    LoadOperation& load = loads_[token];
    if (load.copy_group != 0) load.finish = stages_.reserve_data(load.finish, load.copy_wavefronts);
    if (load.scoreboard < Scoreboards::count || load.copy_group != 0)
        events_.push(load.finish + platform_.lsu.l1_hit_latency_cycles,
                     {.kind = SmEvent::Kind::writeback, .token = token});
    else
        free_loads_.push_back(token);
}

void MemoryUnit::take_out_of_chain(SectoredCache::Line& line, std::uint32_t token) {
    if (line.ready == token + 1) {
        line.ready = misses_[token].older;
        return;
    }
    for (auto at = static_cast<std::uint32_t>(line.ready); at != 0; at = misses_[at - 1].older) {
        if (misses_[at - 1].older != token + 1) continue;
        misses_[at - 1].older = misses_[token].older;
        return;
    }
}

/// Answers come in the order in which they are there, whichever was asked for first: a hit of L2 passes a miss
/// (validate/records/h200/probes/gather_latency.cu: eight warps of an SM that miss L2 at random wait no longer than
/// one). The first beat is part of the latency; what queues behind it is not.
void MemoryUnit::take_answer(std::uint32_t token, std::uint64_t now) {
    const std::uint64_t start = std::max(return_free_, now * cycle_fraction);
    const auto sectors = static_cast<std::uint64_t>(std::popcount(misses_[token].sectors));
    const std::uint64_t atomics = misses_[token].atomics;
    return_free_ = start + std::max(sectors * platform_.lsu.sector_bytes * return_cost_,
                                    atomics * platform_.lsu.atomic_return_cycles * cycle_fraction);
    if (const std::uint64_t there = start / cycle_fraction; there > now)
        events_.push(there, {.kind = SmEvent::Kind::fill, .token = token});
    else
        fill(token, now);
}

void MemoryUnit::fill(std::uint32_t token, std::uint64_t now) {
    stages_.data_from(now);
    load_places_.answered(now, outbox_);
    Miss& miss = misses_[token];
    if (miss.fills_cache) {
        if (SectoredCache::Line* line = l1_.find(miss.line); line != nullptr) {
            line->valid |= miss.sectors;
            line->pending &= ~miss.sectors;
            take_out_of_chain(*line, token);
        }
    }
    for (const std::uint32_t waiting : miss.waiting) {
        LoadOperation& load = loads_[waiting];
        // Words go back to the sub-core as their lines come.
        const std::uint32_t wavefronts = load.wavefronts_of_fill();
        load.finish = std::max({load.finish, now, stages_.bring_back(load.requester.subcore, now, wavefronts)});
        // Of a load of several lines: one line's words find room between those that leave.
        if (load.outstanding > 1) store_path_.hold_up(now, wavefronts);
        if (--load.outstanding == 0) finish_load(waiting);
    }
    miss.waiting.clear();
    free_misses_.push_back(token);
}

}  // namespace sassafras::sim
