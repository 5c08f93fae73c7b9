// A captured launch as a source of records: what live execution gave, from a file.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/formats/trace_file/frame_decoder.hpp"
#include "sim/formats/trace_file/trace_file_reader.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// Records are read ahead a frame's part at a time. A warp that is far behind the others of its block does not make the
/// others' records pile up: what it has no need of yet is read again later.
class FileTraceSource final : public TraceSource {
  public:
    explicit FileTraceSource(TraceFileReader reader);

    [[nodiscard]] const isa::Program& program() const override { return reader_.program(); }
    [[nodiscard]] const LaunchShape& shape() const override { return reader_.header().shape; }
    Result<BlockTrace*> start(std::uint64_t block_index) override;
    Result<void> advance(BlockTrace& block, std::uint64_t instructions_ahead) override;
    /// No warp of a trace waits for a clock: the values it read are those of the capture.
    void provide_clock(BlockTrace& block, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) override;
    void finish(BlockTrace& block) override;

    [[nodiscard]] const TraceFileReader& reader() const { return reader_; }

  private:
    struct Entry {
        std::uint32_t frame = 0;
        std::uint32_t number = 0;  ///< in the frame
    };
    struct Resident : BlockTrace {
        std::vector<std::uint64_t> next;  ///< by warp: which of the block's entries comes next
    };
    [[nodiscard]] Result<void> deliver(Resident& block, std::uint64_t which, std::uint64_t instructions_ahead);
    [[nodiscard]] Result<void> decode(const Entry& entry, std::span<FrameDecoder::Sink> sinks);

    TraceFileReader reader_;
    PayloadSites sites_;
    FrameDecoder decoder_;
    std::uint32_t warps_per_block_ = 0;
    std::vector<std::uint64_t> first_entry_;  ///< by block, into entries_; one more at the end
    std::vector<Entry> entries_;
    Entry open_;  ///< what decoder_ gives next
    bool is_open_ = false;
    std::vector<FrameDecoder::Sink> sinks_;
    std::vector<std::unique_ptr<Resident>> resident_;
    std::vector<std::unique_ptr<Resident>> spare_;  ///< finished blocks, to be used again
};

}  // namespace sassafras::sim
