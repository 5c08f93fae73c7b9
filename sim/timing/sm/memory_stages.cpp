#include "sim/timing/sm/memory_stages.hpp"

#include <algorithm>

namespace sassafras::sim {

namespace {

/// The first slot of `interval` cycles that does not begin before `time`. (A division by one would cost as much as the
/// rest.)
std::uint64_t slot_from(std::uint64_t time, std::uint32_t interval) {
    return interval == 1 ? time : (time + interval - 1) / interval;
}

std::uint64_t before(std::uint64_t time, std::uint64_t cycles) { return time > cycles ? time - cycles : 0; }

}  // namespace

MemoryStages::MemoryStages(const LsuParameters& lsu, std::uint32_t subcores, std::size_t warps)
    : lsu_(lsu), tag_banks_(lsu), ports_(subcores), warp_free_(warps), before_data_(lsu.data_buffer_accesses, 0) {
    for (Port& port : ports_) port.queue.assign(lsu.queue_entries, 0);
}

std::uint64_t MemoryStages::enter(std::uint32_t subcore, std::uint32_t warp, Operands registers, std::uint64_t now,
                                  std::uint64_t earliest) {
    Port& port = ports_[subcore];
    now_ = now;
    accept_.advance(slot_from(now, lsu_.accept_interval_cycles));
    tags_.advance(now);
    misses_.advance(now / lsu_.miss_interval_cycles);
    data_.advance(slot_from(now, lsu_.wavefront_interval_cycles));
    const std::uint64_t lag = port.had_data && registers.data == 0 ? lsu_.store_data_lag_cycles : 0;
    port.had_data = registers.data != 0;
    const std::uint64_t from = std::max({now, port.enter_free + lag, room_at(port, warp), earliest});
    const std::uint64_t entry =
        accept_.take(slot_from(from, lsu_.accept_interval_cycles)) * lsu_.accept_interval_cycles;
    const std::uint64_t of_registers = lsu_.issue_interval_cycles +
                                       std::uint64_t{registers.address} * lsu_.address_register_cycles +
                                       std::uint64_t{registers.data} * lsu_.operand_register_cycles;
    const std::uint64_t of_one = std::uint64_t{lsu_.issue_interval_cycles} + lsu_.address_register_cycles;
    port.enter_free = entry + std::max(of_registers, of_one) - lsu_.address_register_cycles;
    // It keeps its place in the queue until its registers have been read (lsu_bursts.py: nine that stall ten cycles
    // each are taken at once, the tenth waits for the first's).
    port.queue[port.queue_at] = entry + (before_data_.empty() ? 0 : lsu_.register_read_latency_cycles);
    if (!before_data_.empty()) {
        before_data_at_ = (before_data_at_ + 1) % before_data_.size();
        before_data_[before_data_at_] = entry;
    }
    port.queue_at = (port.queue_at + 1) % port.queue.size();
    port.queue_free = port.queue[port.queue_at];
    return entry;
}

/// On an H200 all sub-cores have room for so many instructions together, however long each takes
/// (validate/records/h200/probes/lsu_bursts.csv.zst: one warp sends 30 loads of 1 to 32 wavefronts before it must wait,
/// four warps 16 each, of which nine are in the queue of a sub-core).
std::uint64_t MemoryStages::room_at(const Port& port, std::uint32_t warp) const {
    if (!before_data_.empty()) return before_data_[(before_data_at_ + 1) % before_data_.size()];
    return std::max(before(std::max(port.work, data_free_), lsu_.data_buffer_cycles),
                    before(std::max(warp_free_[warp][0], warp_free_[warp][1]), lsu_.warp_buffer_cycles));
}

std::uint64_t MemoryStages::spacing_of(std::uint64_t cycles) const {
    return std::max<std::uint64_t>(1, slot_from(cycles, lsu_.wavefront_interval_cycles));
}

/// The slot of the last of so many wavefronts, of which the first is not before `from`.
std::uint64_t MemoryStages::book(std::uint64_t from, std::uint32_t wavefronts, std::uint64_t spacing) {
    std::uint64_t last = data_.take(slot_from(from, lsu_.wavefront_interval_cycles));
    for (std::uint32_t i = 1; i < wavefronts; ++i) last = data_.take(last + spacing);
    return last;
}

std::uint64_t MemoryStages::pass(const Passage& passage, std::uint64_t from) {
    if (passage.wavefronts == 0) return from;
    Port& port = ports_[passage.subcore];
    std::uint64_t& warp_free = warp_free_[passage.warp][passage.shared_memory && !has_one_way() ? 1 : 0];
    const std::uint64_t of_subcore = lsu_.subcore_wavefront_interval_cycles;
    const std::uint64_t of_warp =
        passage.whole_registers ? of_subcore : std::max<std::uint64_t>(of_subcore, lsu_.warp_wavefront_interval_cycles);
    // Cycles that wait for a warp's own order are not work: others may still take them. Nor is what comes back for
    // loads that wait: it does not keep others from entering.
    const bool one_way = has_one_way();
    if (!one_way)
        data_free_ = std::max(data_free_, now_) + std::uint64_t{passage.wavefronts} * lsu_.wavefront_interval_cycles;
    // What is sent does not wait for what comes back.
    std::uint64_t& way = passage.registers != 0 || one_way ? port.way_free : port.work;
    const std::uint64_t begin = std::max({from, way, warp_free});
    const std::uint64_t booked = book(begin, passage.wavefronts, spacing_of(of_warp)) * lsu_.wavefront_interval_cycles;
    // Between the wavefronts of a warp others find room, so where they wait for each other it need not take longer.
    const std::uint64_t last = std::max(booked, begin + of_warp * (passage.wavefronts - 1));
    warp_free = last + of_warp;
    if (!before_data_.empty()) before_data_[before_data_at_] = std::max(before_data_[before_data_at_], warp_free);
    if (one_way) {
        port.work = port.way_free = booked + of_subcore;
        return last;
    }
    const std::uint64_t of_wavefronts = of_subcore * passage.wavefronts;
    const std::uint64_t of_registers =
        passage.registers == 0
            ? 0
            : std::uint64_t{lsu_.return_register_cycles} * (passage.registers + (passage.whole_registers ? 0 : 1));
    if (passage.registers != 0) port.way_free = std::max(now_, port.way_free) + std::max(of_wavefronts, of_registers);
    port.work = std::max(now_, port.work) + of_wavefronts;
    return last;
}

std::uint64_t MemoryStages::bring_back(std::uint32_t subcore, std::uint64_t from, std::uint32_t wavefronts) {
    if (wavefronts == 0) return from;
    Port& port = ports_[subcore];
    const std::uint64_t of_subcore = lsu_.subcore_wavefront_interval_cycles;
    const std::uint64_t last =
        book(std::max(from, port.way_free), wavefronts, spacing_of(of_subcore)) * lsu_.wavefront_interval_cycles;
    port.way_free = last + of_subcore;
    if (has_one_way()) port.work = port.way_free;
    return last;
}

std::uint64_t MemoryStages::reserve_data(std::uint64_t from, std::uint32_t wavefronts) {
    return wavefronts == 0 ? from : book(from, wavefronts, 1) * lsu_.wavefront_interval_cycles;
}

}  // namespace sassafras::sim
