#include "sim/formats/trace_file/compression.hpp"

#include <zstd.h>

#include <new>

#include "core/result.hpp"

namespace sassafras::sim {

namespace {
constexpr int level = 1;  ///< the fastest that still codes entropy: capture must cost little
}

void Compressor::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Compressor::Compressor() : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

std::size_t Compressor::compress(std::span<const std::byte> content, std::vector<std::byte>& out) {
    const std::size_t at = out.size();
    out.resize(at + ZSTD_compressBound(content.size()));
    const std::size_t size =
        ZSTD_compress2(context_.get(), out.data() + at, out.size() - at, content.data(), content.size());
    require_invariant(ZSTD_isError(size) == 0, "zstd cannot compress into a buffer of the size it asks for");
    out.resize(at + size);
    return size;
}

void Decompressor::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Decompressor::Decompressor() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
}

std::optional<std::vector<std::byte>> Decompressor::decompress(std::span<const std::byte> frame,
                                                               std::size_t content_bytes) {
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != content_bytes) return std::nullopt;
    if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return std::nullopt;
    std::vector<std::byte> content(content_bytes);
    const std::size_t size =
        ZSTD_decompressDCtx(context_.get(), content.data(), content.size(), frame.data(), frame.size());
    if (ZSTD_isError(size) != 0 || size != content_bytes) return std::nullopt;
    return content;
}

std::optional<std::size_t> Decompressor::content_bytes(std::span<const std::byte> frame) {
    const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) return std::nullopt;
    return size;
}

}  // namespace sassafras::sim
