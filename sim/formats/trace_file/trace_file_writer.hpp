// Writes one launch's records to a trace file as they come: memory does not grow with the launch, but for an index of
// 56 bytes a frame or block.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/file_writer.hpp"
#include "core/result.hpp"
#include "sim/formats/trace_file/compression.hpp"
#include "sim/formats/trace_file/frame_encoder.hpp"
#include "sim/formats/trace_file/trace_header.hpp"
#include "sim/formats/trace_file/trace_index.hpp"

namespace sassafras::sim {

class TraceFileWriter {
  public:
    /// `sites` are those of the header's kernel and must outlive the writer. `path` is replaced.
    TraceFileWriter(std::string path, const PayloadSites& sites);

    /// Error bad_input if the file cannot be written, as of all.
    [[nodiscard]] Result<void> open(const TraceHeader& header);
    /// open() failed because there is a file of this name.
    [[nodiscard]] bool is_taken() const { return !is_made_ && file_.error_number() == EEXIST; }

    /// Takes all that the block has buffered. Blocks that end with their first records share a frame with others.
    [[nodiscard]] Result<void> add(BlockTrace& block);

    void count_clock_read() { ++index_.clock_reads; }

    /// Ends the file. Without it the file is refused as cut short.
    [[nodiscard]] Result<void> close();

    /// Removes the file: of a launch that failed nothing stays.
    void discard();

    [[nodiscard]] const TraceIndex& index() const { return index_; }
    [[nodiscard]] std::uint64_t bytes() const { return offset_; }
    /// Of the whole file, once closed.
    [[nodiscard]] std::uint64_t checksum() const { return checksum_; }

  private:
    struct OpenFrame {
        FrameEncoder encoder;
        std::vector<std::uint64_t> blocks;  ///< of its entries
    };
    [[nodiscard]] Error refuse() const;
    [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
    [[nodiscard]] Result<void> write_frame(OpenFrame& open);

    std::string path_;
    FileWriter file_;
    bool is_made_ = false;                       ///< by open()
    OpenFrame shared_;                           ///< of blocks that end with their first records
    OpenFrame own_;                              ///< of one part of a block that runs long
    std::unordered_set<std::uint64_t> running_;  ///< blocks that have a part and will have more
    Compressor compressor_;
    TraceIndex index_;
    std::uint64_t offset_ = 0;
    std::uint64_t prologue_checksum_ = 0;
    std::uint64_t checksum_ = 0;
    std::vector<std::byte> content_;
    std::vector<std::byte> compressed_;
};

}  // namespace sassafras::sim
