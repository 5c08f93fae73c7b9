#include "isa/cubin/fat_binary.hpp"

#include <lz4.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <climits>

#include <fmt/format.h>

#include "isa/cubin/elf.hpp"

namespace sassafras::isa {

namespace {

constexpr std::uint32_t container_magic = 0xba55ed50;
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_cubin = 2;
constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;
/// A cubin is at most this large; a header that promises more is damaged, and must not make us reserve it.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31U;
/// More than any cubin that was seen.
constexpr std::uint64_t first_room = std::uint64_t{16} << 20U;

namespace header {
constexpr std::uint64_t magic = 0;          // 4 bytes
constexpr std::uint64_t header_bytes = 6;   // 2
constexpr std::uint64_t payload_bytes = 8;  // 8
}  // namespace header

namespace entry {
constexpr std::uint64_t kind = 0;               // 2 bytes
constexpr std::uint64_t header_bytes = 4;       // 4
constexpr std::uint64_t padded_bytes = 8;       // 8
constexpr std::uint64_t compressed_bytes = 16;  // 4; 0 where the payload is plain
constexpr std::uint64_t architecture = 28;      // 4
constexpr std::uint64_t flags = 40;             // 8
constexpr std::uint64_t unpacked_bytes = 56;    // 8; 0 where the payload is plain
constexpr std::uint64_t least_header = 64;
}  // namespace entry

Error damaged(std::string what, std::string_view origin) {
    return {ErrorKind::bad_input, std::move(what), std::string(origin),
            "the program or the file is damaged; build it again"};
}

std::string flag_for(int compute_capability) {
    return fmt::format("-gencode arch=compute_{0},code=sm_{0}", compute_capability);
}

}  // namespace

Result<std::uint64_t> fat_binary_size(std::span<const std::byte> head, std::string_view origin) {
    if (head.size() < fat_header_bytes || read_value<std::uint32_t>(head, header::magic) != container_magic)
        return damaged("this is no fat binary: it does not begin with 0xba55ed50", origin);
    const auto header_bytes = read_value<std::uint16_t>(head, header::header_bytes);
    const auto payload = read_value<std::uint64_t>(head, header::payload_bytes);
    if (header_bytes < fat_header_bytes || payload > most_bytes)
        return damaged(fmt::format("a fat binary with a header of {} and a payload of {} bytes", header_bytes, payload),
                       origin);
    return header_bytes + payload;
}

Result<std::vector<FatEntry>> read_fat_binary(std::span<const std::byte> bytes, std::string_view origin) {
    const auto size = fat_binary_size(bytes.first(std::min(bytes.size(), fat_header_bytes)), origin);
    if (!size) return size.error();
    if (*size > bytes.size())
        return damaged(fmt::format("the fat binary says {} bytes and there are {}", *size, bytes.size()), origin);
    std::vector<FatEntry> entries;
    std::uint64_t at = read_value<std::uint16_t>(bytes, header::header_bytes);
    while (at < *size) {
        const auto left = bytes.subspan(at, *size - at);
        if (left.size() < entry::least_header)
            return damaged(fmt::format("{} bytes behind the last entry of the fat binary", left.size()), origin);
        const auto header_bytes = read_value<std::uint32_t>(left, entry::header_bytes);
        const auto padded = read_value<std::uint64_t>(left, entry::padded_bytes);
        const auto compressed = read_value<std::uint32_t>(left, entry::compressed_bytes);
        const auto flags = read_value<std::uint64_t>(left, entry::flags);
        if (header_bytes < entry::least_header || !in_range(header_bytes, padded, left.size()) || compressed > padded)
            return damaged(fmt::format("the entry at {:#x} of the fat binary leaves it", at), origin);
        const auto kind = read_value<std::uint16_t>(left, entry::kind);
        if (kind == kind_ptx || kind == kind_cubin) {
            FatEntry read;
            read.kind = kind == kind_ptx ? FatEntry::Kind::ptx : FatEntry::Kind::cubin;
            read.packing = (flags & flag_zstd) != 0  ? FatEntry::Packing::zstd
                           : (flags & flag_lz4) != 0 ? FatEntry::Packing::lz4
                                                     : FatEntry::Packing::plain;
            read.architecture = static_cast<int>(read_value<std::uint32_t>(left, entry::architecture));
            const bool plain = read.packing == FatEntry::Packing::plain;
            read.payload = left.subspan(header_bytes, plain ? padded : compressed);
            read.size = plain ? padded : read_value<std::uint64_t>(left, entry::unpacked_bytes);
            entries.push_back(read);
        }
        at += header_bytes + padded;
    }
    return entries;
}

namespace {

enum class Unpacked : std::uint8_t { whole, damaged, more };

/// `more`: the payload holds more than there is room for.
Unpacked unpack_into(std::span<std::byte> room, const FatEntry& entry) {
    if (entry.packing == FatEntry::Packing::zstd) {
        const std::size_t size = ZSTD_decompress(room.data(), room.size(), entry.payload.data(), entry.payload.size());
        if (ZSTD_isError(size) != 0)
            return ZSTD_getErrorCode(size) == ZSTD_error_dstSize_tooSmall ? Unpacked::more : Unpacked::damaged;
        return size == room.size() ? Unpacked::whole : Unpacked::damaged;
    }
    const auto* from = reinterpret_cast<const char*>(entry.payload.data());
    auto* to = reinterpret_cast<char*>(room.data());
    const auto packed = static_cast<int>(entry.payload.size());
    const auto wanted = static_cast<int>(room.size());
    if (LZ4_decompress_safe(from, to, packed, wanted) == wanted) return Unpacked::whole;
    // LZ4 does not tell what is damaged from what has no room.
    return LZ4_decompress_safe_partial(from, to, packed, wanted, wanted) == wanted ? Unpacked::more : Unpacked::damaged;
}

}  // namespace

Result<std::vector<std::byte>> unpack(const FatEntry& entry, std::string_view origin) {
    if (entry.packing == FatEntry::Packing::plain)
        return std::vector<std::byte>(entry.payload.begin(), entry.payload.end());
    if (entry.size > most_bytes || entry.size > INT_MAX || entry.payload.size() > INT_MAX)
        return damaged(fmt::format("an entry of {} bytes in the fat binary", entry.size), origin);
    // The size is believed as far as the payload bears it out: a damaged one must not make us reserve gigabytes.
    std::vector<std::byte> unpacked;
    Unpacked state = Unpacked::more;
    std::uint64_t room = first_room;
    do {
        unpacked = {};  // what is there is unpacked anew, and need not be kept
        unpacked.resize(std::min(room, entry.size));
        state = unpack_into(unpacked, entry);
        room *= 2;
    } while (state == Unpacked::more && unpacked.size() < entry.size);
    if (state != Unpacked::whole || unpacked.size() != entry.size)
        return damaged(fmt::format("an entry of the fat binary does not unpack to {} bytes", entry.size), origin);
    return unpacked;
}

const FatEntry* best_cubin(std::span<const FatEntry> entries, int compute_capability) {
    const FatEntry* best = nullptr;
    for (const FatEntry& entry : entries) {
        if (entry.kind != FatEntry::Kind::cubin || entry.architecture / 10 != compute_capability / 10 ||
            entry.architecture > compute_capability)
            continue;
        if (best == nullptr || entry.architecture > best->architecture) best = &entry;
    }
    return best;
}

Error no_cubin(std::span<const FatEntry> entries, int compute_capability, std::string_view origin) {
    std::string there;
    for (const FatEntry& entry : entries)
        there += fmt::format("{}{}_{}", there.empty() ? "" : ", ",
                             entry.kind == FatEntry::Kind::cubin ? "sm" : "PTX compute", entry.architecture);
    return {ErrorKind::not_modelled,
            fmt::format("the program has no machine code for sm_{} (it has: {}); PTX is not compiled here",
                        compute_capability, there.empty() ? "nothing" : there),
            std::string(origin), "compile it with nvcc " + flag_for(compute_capability)};
}

}  // namespace sassafras::isa
