#include <catch2/catch.hpp>

#include <cstring>

#include "core/random.hpp"
#include "core/xxhash64.hpp"
#include "sim/formats/trace_file/compression.hpp"

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
    for (const std::size_t size : {0U, 1U, 31U, 32U, 33U, 1000U, 200'000U}) {
        CAPTURE(size);
        const auto content = some_bytes(size);
        std::vector<std::byte> frame;
        const std::size_t written = compressor.compress(content, frame);
        REQUIRE(written == frame.size());
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
    for (const std::size_t size : {0U, 3U, 4U, 7U, 8U, 12U, 31U, 32U, 63U, 64U, 100U, 4097U}) {
        CAPTURE(size);
        const auto content = some_bytes(size);
        std::vector<std::byte> frame;
        compressor.compress(content, frame);
        std::uint32_t stored = 0;
        std::memcpy(&stored, frame.data() + frame.size() - 4, 4);
        CHECK(stored == static_cast<std::uint32_t>(xxhash64(content)));
    }
}
