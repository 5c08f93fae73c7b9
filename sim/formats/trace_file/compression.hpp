// zstd, with its own checksum of the content in every frame.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace sassafras::sim {

class Compressor {
  public:
    Compressor();
    /// Appends one zstd frame to `out`; gives its size.
    std::size_t compress(std::span<const std::byte> content, std::vector<std::byte>& out);

  private:
    struct Free {
        void operator()(ZSTD_CCtx_s* context) const;
    };
    std::unique_ptr<ZSTD_CCtx_s, Free> context_;
};

class Decompressor {
  public:
    Decompressor();
    /// Nothing unless `frame` is one whole, undamaged zstd frame of exactly `content_bytes` bytes of content.
    [[nodiscard]] std::optional<std::vector<std::byte>> decompress(std::span<const std::byte> frame,
                                                                   std::size_t content_bytes);
    /// How many bytes of content a frame says that it has; nothing if it does not say.
    [[nodiscard]] static std::optional<std::size_t> content_bytes(std::span<const std::byte> frame);

  private:
    struct Free {
        void operator()(ZSTD_DCtx_s* context) const;
    };
    std::unique_ptr<ZSTD_DCtx_s, Free> context_;
};

}  // namespace sassafras::sim
