// The fixed parts of a trace file (.sft). docs/traces.md describes the whole.
//
//   prologue  magic, version, length and checksum of the header, checksum of the prologue
//   header    zstd frame: the kernel and its launch
//   frames    zstd frames of records
//   index     zstd frame: lengths, checksums and blocks of the frames
//   epilogue  position, length and checksum of the index, checksum of the epilogue, magic
//
// Numbers are little-endian; checksums are XXH64. Every byte of the file is under one of them.
#pragma once

#include <array>
#include <cstdint>

namespace sassafras::sim::trace_format {

inline constexpr std::uint32_t version = 1;
inline constexpr std::array<char, 8> magic = {'S', 'A', 'S', 'S', 'T', 'R', 'C', '\n'};
/// No frame holds more; a file that says so is damaged.
inline constexpr std::uint64_t most_content_bytes = std::uint64_t{1} << 28U;

struct Prologue {
    std::array<char, 8> magic{};
    std::uint32_t version = 0;
    std::uint32_t header_bytes = 0;          ///< compressed
    std::uint64_t header_content_bytes = 0;  ///< uncompressed
    std::uint64_t header_checksum = 0;       ///< of the compressed bytes, as are all
    std::uint64_t checksum = 0;              ///< of what is before it
};
static_assert(sizeof(Prologue) == 40);

struct Epilogue {
    std::uint64_t index_offset = 0;
    std::uint64_t index_bytes = 0;
    std::uint64_t index_content_bytes = 0;
    std::uint64_t index_checksum = 0;
    std::uint64_t prologue_checksum = 0;  ///< the prologue's: so the epilogue's stands for the whole file
    std::uint64_t checksum = 0;           ///< of what is before it
    std::array<char, 8> magic{};
};
static_assert(sizeof(Epilogue) == 56);

}  // namespace sassafras::sim::trace_format
