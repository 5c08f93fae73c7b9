#include "sim/formats/trace_file/trace_index.hpp"

#include <utility>

#include "sim/formats/trace_file/trace_format.hpp"

namespace sassafras::sim {

void TraceIndex::add(TraceFrame frame, std::span<const std::uint64_t> blocks) {
    frame.first_entry = entry_count_;
    frame.entry_count = blocks.size();
    frame.entries_at = entries_.size();
    ColumnWriter column;
    for (const std::uint64_t block : blocks) column.put_difference(block - std::exchange(last_block_, block));
    const auto packed = std::as_bytes(column.bytes());
    entries_.insert(entries_.end(), packed.begin(), packed.end());
    entry_count_ += blocks.size();
    frames.push_back(frame);
}

std::vector<std::byte> write_trace_index(const TraceIndex& index) {
    ColumnWriter column;
    column.put_number(index.warp_instructions);
    column.put_number(index.accesses);
    column.put_number(index.clock_reads);
    column.put_number(index.frames.size());
    std::size_t begun = 0;
    const auto begin_frames = [&](std::size_t end) {
        for (; begun < end; ++begun) {
            column.put_number(index.frames[begun].bytes);
            column.put_number(index.frames[begun].content_bytes);
            column.put_word64(index.frames[begun].checksum);
            column.put_number(index.frames[begun].entry_count);
        }
    };
    std::uint64_t last_block = 0;
    index.for_each_entry([&](std::size_t frame, std::uint64_t block) {
        begin_frames(frame + 1);
        column.put_difference(block - std::exchange(last_block, block));
    });
    begin_frames(index.frames.size());
    const auto bytes = std::as_bytes(column.bytes());
    return {bytes.begin(), bytes.end()};
}

std::optional<TraceIndex> read_trace_index(std::vector<std::byte> bytes, std::uint64_t first_offset) {
    ColumnReader column({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    TraceIndex index;
    index.warp_instructions = column.number();
    index.accesses = column.number();
    index.clock_reads = column.number();
    std::uint64_t offset = first_offset;
    // Frames and entries take at least a byte each, so damage cannot make these loops long.
    for (std::uint64_t left = column.number(); left != 0 && !column.failed(); --left) {
        TraceFrame frame;
        frame.offset = offset;
        frame.bytes = column.number();
        frame.content_bytes = column.number();
        frame.checksum = column.word64();
        frame.first_entry = index.entry_count_;
        frame.entry_count = column.number();
        frame.entries_at = bytes.size() - column.left();
        // So every frame costs bytes of the file, too.
        if (frame.bytes < trace_format::least_frame_bytes) return std::nullopt;
        for (std::uint64_t i = 0; i < frame.entry_count && !column.failed(); ++i) (void)column.difference();
        index.entry_count_ += frame.entry_count;
        offset += frame.bytes;
        index.frames.push_back(frame);
    }
    if (column.failed() || column.left() != 0) return std::nullopt;
    index.entries_ = std::move(bytes);
    return index;
}

}  // namespace sassafras::sim
