// Where a trace file has what: its frames, and the blocks whose records each holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/formats/trace_file/column.hpp"

namespace sassafras::sim {

struct TraceFrame {
    std::uint64_t offset = 0;         ///< in the file
    std::uint64_t bytes = 0;          ///< compressed
    std::uint64_t content_bytes = 0;  ///< uncompressed
    std::uint64_t checksum = 0;       ///< XXH64 of the compressed bytes
    std::uint64_t first_entry = 0;    ///< of TraceIndex::entries
    std::uint64_t entry_count = 0;
    std::uint64_t entries_at = 0;  ///< where in the packed entries its own begin
};

struct TraceIndex {
    std::vector<TraceFrame> frames;  ///< in the order of the file, without gaps
    std::uint64_t warp_instructions = 0;
    std::uint64_t accesses = 0;  ///< of memory instructions, by a warp each
    std::uint64_t clock_reads = 0;

    [[nodiscard]] std::uint64_t entry_count() const { return entry_count_; }
    /// Adds the frame, which says nothing of its entries yet, with the blocks that they are of.
    void add(TraceFrame frame, std::span<const std::uint64_t> blocks);
    /// `visit(frame, block)` for each entry of each frame, in the order of the file. A block that ran long has several
    /// entries, in order.
    template <class Visit>
    void for_each_entry(Visit visit) const {
        std::uint64_t block = 0;
        for (std::size_t frame = 0; frame < frames.size(); ++frame) {
            const std::uint64_t at = frames[frame].entries_at;
            ColumnReader column({reinterpret_cast<const std::uint8_t*>(entries_.data()) + at, entries_.size() - at});
            for (std::uint64_t i = 0; i < frames[frame].entry_count; ++i) visit(frame, block += column.difference());
        }
    }

  private:
    friend std::optional<TraceIndex> read_trace_index(std::vector<std::byte> bytes, std::uint64_t first_offset);

    /// Differences of the blocks of all entries, as the file has them, between other things: unpacked, a small file's
    /// could fill the memory.
    std::vector<std::byte> entries_;
    std::uint64_t entry_count_ = 0;
    std::uint64_t last_block_ = 0;
};

[[nodiscard]] std::vector<std::byte> write_trace_index(const TraceIndex& index);
/// `first_offset` is that of the first frame. Nothing if the bytes are none that write_trace_index made. Any bytes are
/// safe input.
[[nodiscard]] std::optional<TraceIndex> read_trace_index(std::vector<std::byte> bytes, std::uint64_t first_offset);

}  // namespace sassafras::sim
