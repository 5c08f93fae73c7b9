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

inline constexpr std::uint32_t version = 2;  ///< 1: LDC by a register had no value
inline constexpr std::array<char, 8> magic = {'S', 'A', 'S', 'S', 'T', 'R', 'C', '\n'};
// What a section holds at most when it is decompressed; a file that promises more is damaged. zstd makes one byte of
// 32,768, so that a small file could else ask for all memory there is.
/// Of a frame: one part of a block, 2048 instructions of 32 warps with 32 addresses each, is a quarter of this.
inline constexpr std::uint64_t most_frame_bytes = std::uint64_t{1} << 26U;
/// Of the header: a kernel of 400,000 instructions compresses as well as it likes, and of a larger one a compressed
/// byte stands for four.
inline constexpr std::uint64_t most_header_bytes = std::uint64_t{6} << 20U;
inline constexpr std::uint64_t most_header_ratio = 4;
/// Of the index: 60 million blocks compress as well as they like, and of more a byte of the file stands for 64.
inline constexpr std::uint64_t most_index_bytes = std::uint64_t{1} << 26U;
inline constexpr std::uint64_t most_index_ratio = 64;
/// The smallest zstd frame: magic number, header and one block.
inline constexpr std::uint64_t least_frame_bytes = 9;

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
