// Where a trace file has what: its frames, and the blocks whose records each holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sassafras::sim {

struct TraceFrame {
    std::uint64_t offset = 0;         ///< in the file
    std::uint64_t bytes = 0;          ///< compressed
    std::uint64_t content_bytes = 0;  ///< uncompressed
    std::uint64_t checksum = 0;       ///< XXH64 of the compressed bytes
    std::uint64_t first_entry = 0;    ///< of TraceIndex::entries
    std::uint64_t entry_count = 0;
};

struct TraceIndex {
    std::vector<TraceFrame> frames;  ///< in the order of the file, without gaps
    /// The block of each entry of each frame. A block that ran long has several entries, in order.
    std::vector<std::uint64_t> entries;
    std::uint64_t warp_instructions = 0;
    std::uint64_t accesses = 0;  ///< of memory instructions, by a warp each
    std::uint64_t clock_reads = 0;
};

[[nodiscard]] std::vector<std::byte> write_trace_index(const TraceIndex& index);
/// `first_offset` is that of the first frame. Nothing if the bytes are none that write_trace_index made. Any bytes are
/// safe input.
[[nodiscard]] std::optional<TraceIndex> read_trace_index(std::span<const std::byte> bytes, std::uint64_t first_offset);

}  // namespace sassafras::sim
