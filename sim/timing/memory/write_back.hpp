// What L2 does with lines that were written: when DRAM gets them, and how sectors of which only some bytes were written
// become whole. DRAM takes sectors. On an H200 a slice keeps so many written lines; beyond that an older one is written
// to DRAM, with what the slice has of its row, and stays (validate/records/h200/probes/stored_again.cu,
// docs/decisions/0059-what-waits-for-dram.md). Of lines that lack bytes of a sector it keeps fewer: of the oldest it
// has the sectors read, and whoever reads such a sector waits for that (dram_pieces.cu, partial_reads.cu).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim/timing/memory/dram_time.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/timing/memory/memory_state.hpp"

namespace sassafras::sim {

template <class Map, class Dram>
class WriteBack {
  public:
    WriteBack(MemoryState& state, MemoryShard& shard, const Map& map, Dram& dram)
        : state_(state), shard_(shard), map_(map), dram_(dram) {}

    /// A line leaves a slice; if it is dirty, it is written, and what else of its row of DRAM is dirty in the slice.
    void evict(const SectoredCache::Line& line, std::uint32_t slice, std::uint64_t time) {
        if (line.tag == SectoredCache::empty || line.dirty == 0) return;
        write_back(line, slice, time);
        write_row(line.tag, slice, time);
    }

    /// A store has come to the slice that its line belongs to, which had the sectors `before` of it. Sectors that it
    /// had as a whole stay so, whatever of them is written.
    void note_store(const MemoryRequest& request, std::uint32_t before, std::uint32_t slice, std::uint64_t time) {
        const std::uint32_t limit = state_.platform.l2.slice_partial_lines;
        if (limit == 0 || state_.l2_keeps_all) return;
        PartialLines& partial = state_.partial[slice];
        const PartialLines::Entry* known = partial.find(request.line);
        if (!request.partial) {
            if (known != nullptr && (known->sectors & ~request.sectors) == 0) partial.erase(request.line);
            return;
        }
        const std::uint32_t lacking = request.sectors & (~before | (known == nullptr ? 0U : known->sectors));
        if (lacking == 0) return;
        // Which of its sectors a byte of the request is in is not known: as many in each.
        const auto share = static_cast<std::uint32_t>(request.written) *
                           static_cast<std::uint32_t>(std::popcount(lacking)) /
                           static_cast<std::uint32_t>(std::popcount(request.sectors));
        const PartialLines::Entry& entry = partial.write(request.line, lacking, share);
        if (entry.bytes >= bytes_of(entry.sectors))
            partial.erase(request.line);
        else if (partial.size() > limit)
            complete(partial.oldest(), slice, time);
    }

    /// Sectors of a line of the slice have been written, by a store or an atomic; others may have to be written to
    /// DRAM for it. The cycle from which on the slice had room for what then waits for DRAM.
    std::uint64_t mark_dirty(SectoredCache::Line& line, std::uint32_t sectors, std::uint32_t slice,
                             std::uint64_t time) {
        const bool was_clean = line.dirty == 0;
        line.dirty |= sectors;
        const std::size_t limit = state_.platform.l2.slice_dirty_lines;
        if (!was_clean || limit == 0 || state_.l2_keeps_all) return 0;
        std::uint64_t room = 0;
        DirtyLines& dirty = state_.dirty[slice];
        dirty.push(line.tag);
        ++dirty.count;
        SectoredCache& tags = state_.tags[slice];
        while (dirty.count > limit && !dirty.empty()) {
            SectoredCache::Line* chosen = tags.look_up(dirty.take(slice));
            if (chosen != nullptr && chosen->dirty != 0) room = std::max(room, write_row(chosen->tag, slice, time));
        }
        constexpr std::size_t most_stale = 4;  // times what there may be
        if (dirty.size() > most_stale * limit)
            dirty.tidy([&](std::uint64_t tag) {
                const SectoredCache::Line* there = tags.look_up(tag);
                return there == nullptr || there->dirty == 0;
            });
        return room;
    }

    /// Who reads a line, through the near slice, does not find sectors of it that were written in part.
    void forget_partial(const MemoryRequest& request, std::uint32_t home, std::uint32_t near) {
        PartialLines& partial = state_.partial[home];
        const PartialLines::Entry* entry = partial.find(request.line);
        if (entry == nullptr || (entry->sectors & request.sectors) == 0) return;
        for (const std::uint32_t slice : {home, near})
            if (SectoredCache::Line* line = state_.tags[slice].look_up(request.line)) line->valid &= ~entry->sectors;
        partial.erase(request.line);
    }

  private:
    /// A line is written to DRAM; the cycle from which on there was room for it in what waits for that.
    std::uint64_t write_back(const SectoredCache::Line& line, std::uint32_t slice, std::uint64_t time) {
        if (std::size_t& count = state_.dirty[slice].count; count != 0) --count;
        // By the time that what was missing is there, its row is not open any more.
        const bool row_lost = complete(line.tag, slice, time);
        const std::uint64_t bytes = bytes_of(line.dirty);
        shard_.counters["dram__bytes_write.sum"_metric] += bytes;
        const std::uint64_t done = dram_.write(
            map_,
            {.channel = map_.channel(slice), .line = line.tag, .time = time, .bytes = bytes, .row_lost = row_lost});
        if (WriteQueue& queue = state_.write_queues[slice]; queue.bounded()) return queue.enter(done);
        shard_.drained = std::max(shard_.drained, done);
        return 0;
    }

    /// What a slice has of the row of DRAM that a line is in, and is dirty, is written together, and stays: rows are
    /// dear (write_backlog.cu). As write_back().
    std::uint64_t write_row(std::uint64_t tag, std::uint32_t slice, std::uint64_t time) {
        const L2Parameters& l2 = state_.platform.l2;
        const std::uint64_t lines =
            std::max(1U, state_.platform.dram.row_span_bytes / state_.platform.lsu.l1_line_bytes);
        std::uint64_t room = 0;
        for (std::uint64_t other = tag / lines * lines, end = other + lines; other < end; ++other) {
            // Lines are dirty at home only; those of other slices need not be looked for.
            if (map_.slice_of_partition(other) * l2.partitions + map_.partition(other) != slice) continue;
            SectoredCache::Line* line = state_.tags[slice].look_up(other);
            if (line == nullptr || line->dirty == 0) continue;
            room = std::max(room, write_back(*line, slice, time));
            line->dirty = 0;
        }
        return room;
    }

    [[nodiscard]] std::uint64_t bytes_of(std::uint32_t sectors) const {
        return static_cast<std::uint64_t>(std::popcount(sectors)) * state_.platform.lsu.sector_bytes;
    }

    /// Reads the sectors of a line of which only some bytes were written; whether there were any. A launch waits for
    /// them; stores do not (dram_pieces.cu, write_few).
    bool complete(std::uint64_t tag, std::uint32_t slice, std::uint64_t time) {
        PartialLines& partial = state_.partial[slice];
        const PartialLines::Entry* entry = partial.find(tag);
        if (entry == nullptr) return false;
        const std::uint64_t bytes = bytes_of(entry->sectors);
        shard_.counters["dram__bytes_read.sum"_metric] += bytes;
        shard_.drained =
            std::max(shard_.drained,
                     dram_.read(map_, {.channel = map_.channel(slice), .line = tag, .time = time, .bytes = bytes}));
        partial.erase(tag);
        return true;
    }

    MemoryState& state_;
    MemoryShard& shard_;
    const Map& map_;
    Dram& dram_;
};

}  // namespace sassafras::sim
