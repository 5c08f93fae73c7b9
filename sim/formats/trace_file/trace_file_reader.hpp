// Opens a trace file and reads its frames. What is damaged or cut short is refused with file and offset.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "isa/program/program.hpp"
#include "sim/formats/trace_file/compression.hpp"
#include "sim/formats/trace_file/trace_header.hpp"
#include "sim/formats/trace_file/trace_index.hpp"

namespace sassafras::sim {

class TraceFileReader {
  public:
    /// Checks prologue, header, index and epilogue; frames are checked as they are read. Error bad_input.
    [[nodiscard]] static Result<TraceFileReader> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const TraceHeader& header() const { return header_; }
    [[nodiscard]] const isa::Program& program() const { return program_; }
    [[nodiscard]] const TraceIndex& index() const { return index_; }
    [[nodiscard]] std::uint64_t bytes() const { return size_; }
    /// Of the whole file.
    [[nodiscard]] std::uint64_t checksum() const { return checksum_; }

    /// The content of a frame.
    [[nodiscard]] Result<std::vector<std::byte>> frame(std::size_t number);
    /// Error about a frame whose content makes no sense.
    [[nodiscard]] Error damaged(std::size_t frame, std::string what) const;

  private:
    [[nodiscard]] Error fault(std::uint64_t offset, std::string what) const;
    [[nodiscard]] Result<std::vector<std::byte>> read(std::uint64_t offset, std::uint64_t bytes);
    [[nodiscard]] Result<std::vector<std::byte>> section(std::uint64_t offset, std::uint64_t bytes,
                                                         std::uint64_t content_bytes, std::uint64_t most,
                                                         std::uint64_t checksum, const char* name);
    [[nodiscard]] Result<std::uint64_t> read_header();
    [[nodiscard]] Result<void> read_index(std::uint64_t first_frame);
    [[nodiscard]] Result<void> check_index(std::uint64_t index_offset) const;

    std::string path_;
    std::ifstream file_;
    std::uint64_t size_ = 0;
    std::uint64_t prologue_checksum_ = 0;
    std::uint64_t checksum_ = 0;
    TraceHeader header_;
    isa::Program program_;
    TraceIndex index_;
    Decompressor decompressor_;
};

}  // namespace sassafras::sim
