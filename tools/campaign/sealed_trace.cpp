#include "tools/campaign/sealed_trace.hpp"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/xxhash64.hpp"
#include "sim/formats/trace_file/compression.hpp"
#include "sim/formats/trace_file/trace_format.hpp"
#include "sim/formats/trace_file/trace_index.hpp"

namespace sassafras::campaign {

namespace {

namespace format = sim::trace_format;

std::span<const std::byte> as_bytes(const Bytes& text) { return std::as_bytes(std::span(text.data(), text.size())); }
Bytes as_text(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

template <class Fixed>
std::uint64_t checksum_before(const Fixed& fixed, std::size_t end) {
    return xxhash64(std::span(reinterpret_cast<const std::byte*>(&fixed), end));
}

struct Parts {
    format::Prologue prologue;
    format::Epilogue epilogue;
    Bytes header;
    std::vector<Bytes> frames;  ///< compressed
    sim::TraceIndex index;
};

std::optional<Bytes> unpack(std::span<const std::byte> packed) {
    const auto size = sim::Decompressor::content_bytes(packed);
    if (!size || *size > format::most_frame_bytes) return std::nullopt;
    const auto content = sim::Decompressor().decompress(packed, *size);
    return content ? std::optional(as_text(*content)) : std::nullopt;
}

Bytes pack(const Bytes& content) {
    std::vector<std::byte> packed;
    sim::Compressor().compress(as_bytes(content), packed);
    return as_text(packed);
}

std::optional<Parts> take_apart(const Bytes& file) {
    Parts parts;
    if (file.size() < sizeof parts.prologue + sizeof parts.epilogue) return std::nullopt;
    std::memcpy(&parts.prologue, file.data(), sizeof parts.prologue);
    std::memcpy(&parts.epilogue, file.data() + file.size() - sizeof parts.epilogue, sizeof parts.epilogue);
    const auto all = as_bytes(file);
    const auto header = unpack(all.subspan(sizeof parts.prologue, parts.prologue.header_bytes));
    const auto packed_index = all.subspan(parts.epilogue.index_offset, parts.epilogue.index_bytes);
    const auto content = unpack(packed_index);
    if (!header || !content) return std::nullopt;
    const auto bytes = as_bytes(*content);
    auto index =
        sim::read_trace_index({bytes.begin(), bytes.end()}, sizeof parts.prologue + parts.prologue.header_bytes);
    if (!index) return std::nullopt;
    parts.header = *header;
    for (const sim::TraceFrame& frame : index->frames) parts.frames.push_back(file.substr(frame.offset, frame.bytes));
    parts.index = std::move(*index);
    return parts;
}

/// With the index's content as it is given.
Bytes put_together(Parts parts, const Bytes& index) {
    const Bytes header = pack(parts.header);
    parts.prologue.header_bytes = static_cast<std::uint32_t>(header.size());
    parts.prologue.header_content_bytes = parts.header.size();
    parts.prologue.header_checksum = xxhash64(as_bytes(header));
    parts.prologue.checksum = checksum_before(parts.prologue, offsetof(format::Prologue, checksum));
    Bytes file(reinterpret_cast<const char*>(&parts.prologue), sizeof parts.prologue);
    file += header;
    for (const Bytes& frame : parts.frames) file += frame;
    const Bytes packed = pack(index);
    parts.epilogue.index_offset = file.size();
    parts.epilogue.index_bytes = packed.size();
    parts.epilogue.index_content_bytes = index.size();
    parts.epilogue.index_checksum = xxhash64(as_bytes(packed));
    parts.epilogue.prologue_checksum = parts.prologue.checksum;
    parts.epilogue.checksum = checksum_before(parts.epilogue, offsetof(format::Epilogue, checksum));
    file += packed;
    file.append(reinterpret_cast<const char*>(&parts.epilogue), sizeof parts.epilogue);
    return file;
}

}  // namespace

Bytes damage_sealed(const Bytes& file, std::span<const Bytes> others, SplitMix64& random) {
    auto parts = take_apart(file);
    if (!parts || parts->frames.empty()) return file;
    const std::uint64_t what = below(random, 3);
    if (what == 0) damage_bytes(parts->header, others, random);
    if (what == 1) {
        const std::size_t number = below(random, parts->frames.size());
        auto content = unpack(as_bytes(parts->frames[number]));
        if (content) {
            damage_bytes(*content, others, random);
            parts->frames[number] = pack(*content);
            sim::TraceFrame& frame = parts->index.frames[number];
            frame.bytes = parts->frames[number].size();
            frame.content_bytes = content->size();
            frame.checksum = xxhash64(as_bytes(parts->frames[number]));
        }
    }
    Bytes index = as_text(sim::write_trace_index(parts->index));
    if (what == 2) damage_bytes(index, others, random);
    return put_together(std::move(*parts), index);
}

std::uint64_t checksum_in(const Bytes& file) {
    format::Epilogue epilogue;
    if (file.size() < sizeof epilogue) return 0;
    std::memcpy(&epilogue, file.data() + file.size() - sizeof epilogue, sizeof epilogue);
    return epilogue.checksum;
}

Bytes seal_index(const Bytes& text) {
    constexpr std::string_view key = "  \"checksum\": \"";
    const std::size_t at = text.rfind(key);
    const Bytes body = at == Bytes::npos ? text : text.substr(0, at);
    return fmt::format("{}{}{:016x}\"\n}}\n", body, key, xxhash64(as_bytes(body)));
}

}  // namespace sassafras::campaign
