#include "sim/formats/trace_file/trace_index.hpp"

#include "sim/formats/trace_file/column.hpp"

namespace sassafras::sim {

std::vector<std::byte> write_trace_index(const TraceIndex& index) {
    ColumnWriter column;
    column.put_number(index.warp_instructions);
    column.put_number(index.accesses);
    column.put_number(index.clock_reads);
    column.put_number(index.frames.size());
    std::uint64_t last_block = 0;
    for (const TraceFrame& frame : index.frames) {
        column.put_number(frame.bytes);
        column.put_number(frame.content_bytes);
        column.put_word64(frame.checksum);
        column.put_number(frame.entry_count);
        for (std::uint64_t i = 0; i < frame.entry_count; ++i) {
            const std::uint64_t block = index.entries[frame.first_entry + i];
            column.put_difference(block - last_block);
            last_block = block;
        }
    }
    const auto bytes = std::as_bytes(column.bytes());
    return {bytes.begin(), bytes.end()};
}

std::optional<TraceIndex> read_trace_index(std::span<const std::byte> bytes, std::uint64_t first_offset) {
    ColumnReader column({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    TraceIndex index;
    index.warp_instructions = column.number();
    index.accesses = column.number();
    index.clock_reads = column.number();
    std::uint64_t offset = first_offset;
    std::uint64_t block = 0;
    // Frames and entries take at least a byte each, so damage cannot make these loops long.
    for (std::uint64_t left = column.number(); left != 0 && !column.failed(); --left) {
        TraceFrame frame;
        frame.offset = offset;
        frame.bytes = column.number();
        frame.content_bytes = column.number();
        frame.checksum = column.word64();
        frame.first_entry = index.entries.size();
        frame.entry_count = column.number();
        for (std::uint64_t i = 0; i < frame.entry_count && !column.failed(); ++i) {
            block += column.difference();
            index.entries.push_back(block);
        }
        offset += frame.bytes;
        index.frames.push_back(frame);
    }
    if (column.failed() || column.left() != 0) return std::nullopt;
    return index;
}

}  // namespace sassafras::sim
