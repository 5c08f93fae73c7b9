// What a copy from the host leaves in L2. On an H200 the copy engine writes into the partition that the memory belongs
// to, and a copy that the other partition had is old from then on: the first load from there fetches the sectors from
// afar, and none comes from DRAM (micro chase of validate/records/h200/warm: 0.1 to 0.6 %).
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/timing/memory/memory_state.hpp"

namespace sassafras::sim {

/// Copies happen between launches, so what must go for them costs no launch anything and is not counted.
template <class Map>
void copy_into_l2(MemoryState& state, const Map& map, std::uint64_t address, std::uint64_t bytes) {
    const L2Parameters& l2 = state.platform.l2;
    const std::uint64_t line_bytes = state.platform.lsu.l1_line_bytes;
    const std::uint64_t sector_bytes = state.platform.lsu.sector_bytes;
    const std::uint64_t end = address + bytes;
    if (bytes > l2.bytes) {
        // Nothing of what was there stays, and of the copy its end.
        for (SectoredCache& cache : state.tags) cache.clear();
        address = end - l2.bytes;
    }
    for (std::uint64_t at = address; at < end;) {
        const std::uint64_t line = at / line_bytes;
        const std::uint64_t stop = std::min(end, (line + 1) * line_bytes);
        const std::uint64_t first = at % line_bytes / sector_bytes;
        const std::uint64_t last = (stop - 1) % line_bytes / sector_bytes;
        const auto sectors = static_cast<std::uint32_t>((std::uint64_t{2} << last) - (std::uint64_t{1} << first));
        const std::uint32_t home = map.partition(line);
        const std::uint32_t slice = map.slice_of_partition(line) * l2.partitions;
        for (std::uint32_t partition = 0; partition < l2.partitions; ++partition)
            if (partition != home) state.tags[slice + partition].forget(line, sectors);
        SectoredCache& tags = state.tags[slice + home];
        SectoredCache::Line victim;
        SectoredCache::Line* taken = tags.find(line);
        if (taken == nullptr) taken = tags.allocate(line, victim);
        taken->valid |= sectors;
        taken->dirty |= sectors;
        at = stop;
    }
}

}  // namespace sassafras::sim
