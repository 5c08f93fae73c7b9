#include "sim/timing/sm/memory_stages.hpp"

#include <algorithm>

namespace sassafras::sim {

namespace {

/// The first slot of `interval` cycles that does not begin before `time`. (A division by one would cost as much as the
/// rest.)
std::uint64_t slot_from(std::uint64_t time, std::uint32_t interval) {
    return interval == 1 ? time : (time + interval - 1) / interval;
}

}  // namespace

MemoryStages::MemoryStages(const LsuParameters& lsu, std::uint32_t subcores) : lsu_(lsu), ports_(subcores) {
    for (Port& port : ports_) port.queue.assign(lsu.queue_entries, 0);
}

std::uint64_t MemoryStages::enter(std::uint32_t subcore, std::uint32_t data_registers, std::uint64_t now,
                                  std::uint64_t earliest) {
    Port& port = ports_[subcore];
    accept_.advance(slot_from(now, lsu_.accept_interval_cycles));
    tags_.advance(now);
    data_.advance(slot_from(now, lsu_.wavefront_interval_cycles));
    const std::uint64_t backlog = port.way_free > lsu_.data_buffer_cycles ? port.way_free - lsu_.data_buffer_cycles : 0;
    const std::uint64_t from = std::max({now, port.enter_free, backlog, earliest});
    const std::uint64_t entry =
        accept_.take(slot_from(from, lsu_.accept_interval_cycles)) * lsu_.accept_interval_cycles;
    port.enter_free = entry + lsu_.issue_interval_cycles + std::uint64_t{data_registers} * lsu_.operand_register_cycles;
    port.queue[port.queue_at] = entry;
    port.queue_at = (port.queue_at + 1) % port.queue.size();
    port.queue_free = port.queue[port.queue_at];
    return entry;
}

std::uint64_t MemoryStages::reserve_data(std::uint32_t subcore, std::uint64_t from, std::uint32_t wavefronts,
                                         bool by_subcore) {
    if (wavefronts == 0) return from;
    Port& port = ports_[subcore];
    const std::uint32_t interval = lsu_.wavefront_interval_cycles;
    if (by_subcore) from = std::max(from, port.way_free);
    std::uint64_t last = data_.take(slot_from(from, interval));
    if (wavefronts > 1) {
        const std::uint64_t spacing =
            by_subcore ? std::max<std::uint64_t>(1, slot_from(lsu_.subcore_wavefront_interval_cycles, interval)) : 1;
        for (std::uint32_t i = 1; i < wavefronts; ++i) last = data_.take(last + spacing);
    }
    if (by_subcore) port.way_free = last * interval + lsu_.subcore_wavefront_interval_cycles;
    return last * interval;
}

}  // namespace sassafras::sim
