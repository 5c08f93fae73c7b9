#include "sim/timing/memory/memory_state.hpp"

#include <algorithm>
#include <cmath>

#include "sim/timing/cycle_fraction.hpp"

namespace sassafras::sim {

namespace {

std::uint64_t in_fractions(double cycles) {
    return static_cast<std::uint64_t>(std::llround(cycles * static_cast<double>(cycle_fraction)));
}

}  // namespace

MemoryState::MemoryState(const Platform& of)
    : platform(of),
      placement(of),
      coalescer(of, placement.gpcs(), of.l2.slices / of.l2.partitions),
      ports(of, placement.gpcs()),
      slices(of.l2.slices, byte_cost(of.l2.slice_bytes_per_cycle), in_fractions(of.l2.slice_request_cycles)) {
    const L2Parameters& l2 = of.l2;
    base_round_trip =
        l2.hit_latency_cycles > of.lsu.l1_hit_latency_cycles ? l2.hit_latency_cycles - of.lsu.l1_hit_latency_cycles : 1;
    one_way = base_round_trip / 2;
    const std::uint64_t lines = l2.bytes / of.lsu.l1_line_bytes / l2.slices;
    tags.reserve(l2.slices);
    for (std::uint32_t slice = 0; slice < l2.slices; ++slice) tags.emplace_back(lines, l2.ways, l2.replacement, slice);
    partial_update_cost = in_fractions(l2.atomic_interval_cycles);
    whole_update_cost = in_fractions(l2.atomic_sector_cycles);
    used_before.resize(l2.slices);
    dirty.resize(l2.slices);
    partial.resize(l2.slices);
    write_queues.resize(l2.slices, WriteQueue(l2.slice_write_queue_lines));
}

void MemoryState::begin_launch(bool keeps_all) {
    slices.clear();
    for (WriteQueue& queue : write_queues) queue.clear();
    ports.clear();
    coalescer.clear();
    l2_keeps_all = keeps_all;
}

void MemoryState::begin_slice(std::size_t slice, bool cold) {
    used_before[slice] = tags[slice].used();
    if (!cold) {
        tags[slice].settle();
        return;
    }
    tags[slice].clear();
    dirty[slice].clear();
    partial[slice].clear();
}

}  // namespace sassafras::sim
