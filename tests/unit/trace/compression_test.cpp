#include <catch2/catch.hpp>

#include <cstring>

#include "core/random.hpp"
#include "core/xxhash64.hpp"
#include "sim/trace/file/compression.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

std::vector<std::byte> some_bytes(std::size_t size) {
    Random random(size + 1);
    std::vector<std::byte> bytes(size);
    for (std::byte& value : bytes) value = static_cast<std::byte>(random.below(7));
    return bytes;
}

}  // namespace

TEST_CASE("What is compressed comes back, and nothing else does") {
    Compressor compressor;
    Decompressor decompressor;
    for (const std::size_t size : {0, 1, 31, 32, 33, 1000, 200'000}) {
        CAPTURE(size);
        const auto content = some_bytes(size);
        std::vector<std::byte> frame;
        REQUIRE(compressor.compress(content, frame) == frame.size());
        const auto back = decompressor.decompress(frame, size);
        REQUIRE(back);
        CHECK(*back == content);
        CHECK_FALSE(decompressor.decompress(frame, size + 1));
        CHECK_FALSE(decompressor.decompress(std::span(frame).first(frame.size() - 1), size));
        frame.push_back(std::byte{0});
        CHECK_FALSE(decompressor.decompress(frame, size));
    }
}

TEST_CASE("A zstd frame ends with the low half of its content's XXH64") {
    // A second implementation of XXH64: libzstd's.
    Compressor compressor;
    for (const std::size_t size : {0, 3, 4, 7, 8, 12, 31, 32, 63, 64, 100, 4097}) {
        CAPTURE(size);
        const auto content = some_bytes(size);
        std::vector<std::byte> frame;
        compressor.compress(content, frame);
        std::uint32_t stored = 0;
        std::memcpy(&stored, frame.data() + frame.size() - 4, 4);
        CHECK(stored == static_cast<std::uint32_t>(xxhash64(content)));
    }
}
