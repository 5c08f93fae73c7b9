#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

#include "study/kernel/buffer_content.hpp"
#include "study/kernel/launch_argument.hpp"

using namespace sassafras;
using namespace sassafras::study;

namespace {

template <class T>
T number(const std::string& text) {
    const auto parsed = parse_launch_argument(text);
    REQUIRE(parsed.ok());
    const auto& bytes = std::get<std::vector<std::byte>>(*parsed);
    REQUIRE(bytes.size() == sizeof(T));
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

/// Made in pieces of `step` bytes.
std::vector<std::byte> content_of(const BufferArgument& buffer, Bytes size, std::uint64_t seed, std::size_t step) {
    auto made = BufferContent::open(buffer, size, seed);
    REQUIRE(made.ok());
    std::vector<std::byte> bytes(size.count);
    for (std::size_t at = 0; made->left().count != 0;) {
        const std::size_t piece = std::min<std::size_t>(step, made->left().count);
        REQUIRE(made->read(std::span(bytes).subspan(at, piece)).ok());
        at += piece;
    }
    return bytes;
}

}  // namespace

TEST_CASE("numbers of every type") {
    CHECK(number<std::int32_t>("i32:-5") == -5);
    CHECK(number<std::uint32_t>("u32:0xffffffff") == 0xffffffffU);
    CHECK(number<std::int64_t>("i64:-9223372036854775808") == INT64_MIN);
    CHECK(number<std::uint64_t>("u64:18446744073709551615") == UINT64_MAX);
    CHECK(number<float>("f32:1.5") == 1.5F);
    CHECK(number<double>("f64:-2e3") == -2000.0);
}

TEST_CASE("what does not fit or is no number is refused") {
    for (const char* text : {"i32:2147483648",
                             "u32:-1",
                             "i32:",
                             "i32:5x",
                             "i32",
                             "f32:abc",
                             "u64:0x",
                             "u64:0x-1",
                             "bool:1",
                             "buffer:",
                             "buffer:-4",
                             "buffer:16:noise",
                             "buffer:2000000000000",
                             "i32:1.5",
                             "file:",
                             "file",
                             "buffer:8:file=",
                             "buffer::file=x",
                             "buffer:8:out=",
                             "buffer:8:out=:f4",
                             "file::out=x",
                             "buffer:8:noise:out=x"}) {
        INFO(text);
        const auto parsed = parse_launch_argument(text);
        REQUIRE_FALSE(parsed.ok());
        CHECK(parsed.error().kind == ErrorKind::bad_input);
        CHECK(parsed.error().where.find(text) != std::string::npos);
    }
}

TEST_CASE("where a buffer goes after the launch") {
    const auto of = [](const std::string& text) {
        const auto parsed = parse_launch_argument(text);
        REQUIRE(parsed.ok());
        return std::get<BufferArgument>(*parsed);
    };
    CHECK(of("buffer:8").output.empty());
    CHECK(of("buffer:8:out=a.npy").output == "a.npy");
    CHECK(of("buffer:8:out=a.npy").content == BufferArgument::Content::zero);
    CHECK_FALSE(of("buffer:8:out=a.npy").type);
    CHECK(of("buffer:8:iota:out=a:b.npy:f8").output == "a:b.npy");
    CHECK(of("buffer:8:iota:out=a:b.npy:f8").type == ElementType::f64);
    CHECK(of("buffer:8:iota:out=a:b.npy:f8").content == BufferArgument::Content::iota);
    CHECK(of("buffer:8:file=in.npy:out=out.npy").file == "in.npy");
    CHECK(of("file:in.npy:out=out.npy:i4").file == "in.npy");
    CHECK(of("file:in.npy:out=out.npy:i4").type == ElementType::i32);
}

TEST_CASE("buffers") {
    const auto parsed = parse_launch_argument("buffer:10:iota");
    REQUIRE(parsed.ok());
    const auto& buffer = std::get<BufferArgument>(*parsed);
    CHECK(buffer.size == Bytes{10});
    CHECK(*size_of(buffer) == Bytes{10});
    const auto bytes = content_of(buffer, Bytes{10}, 1, 10);
    CHECK(content_of(buffer, Bytes{10}, 1, 4) == bytes);
    const std::vector<int> expected{0, 0, 0, 0, 1, 0, 0, 0, 2, 0};
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::to_integer<int>(bytes[i]) == expected[i]);
    const BufferArgument random{Bytes{64}, BufferArgument::Content::random, {}};
    CHECK(content_of(random, Bytes{64}, 1, 64) == content_of(random, Bytes{64}, 1, 8));
    CHECK(content_of(random, Bytes{64}, 1, 64) != content_of(random, Bytes{64}, 2, 64));
}

TEST_CASE("buffers from a file: raw bytes, or the numbers behind a .npy file's header; then zeros") {
    const std::string raw = (std::filesystem::temp_directory_path() / "sassafras_launch_argument_test.raw").string();
    const std::string npy = (std::filesystem::temp_directory_path() / "sassafras_launch_argument_test.npy").string();
    std::ofstream(raw, std::ios::binary) << "abcde";
    // NumPy's format, version 1.0 (numpy.lib.format): magic, length of the header, the header, the numbers.
    std::string header = "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }";
    header.resize(118 - 1, ' ');
    std::ofstream(npy, std::ios::binary) << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << "\nwxyz";
    const auto text_of = [](const std::string& argument) {
        const auto parsed = parse_launch_argument(argument);
        REQUIRE(parsed.ok());
        const auto& buffer = std::get<BufferArgument>(*parsed);
        const auto size = size_of(buffer);
        REQUIRE(size.ok());
        const auto bytes = content_of(buffer, *size, 1, 2);
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    CHECK(text_of("file:" + raw) == "abcde");
    CHECK(text_of("buffer:7:file=" + raw) == std::string("abcde\0\0", 7));
    CHECK(text_of("file:" + npy) == "wxyz");
    CHECK(text_of("buffer:5:file=" + npy) == std::string("wxyz\0", 5));
    const auto small = parse_launch_argument("buffer:4:file=" + raw);
    REQUIRE(small.ok());
    const auto refused = BufferContent::open(std::get<BufferArgument>(*small), Bytes{4}, 1);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message().find("5 bytes") != std::string::npos);
    CHECK(refused.error().where == raw);
    std::filesystem::remove(raw);
    std::filesystem::remove(npy);
    CHECK_FALSE(size_of(BufferArgument{{}, BufferArgument::Content::file, raw}).ok());
}

TEST_CASE("extents") {
    CHECK(*parse_extents("7", "--grid") == Dim3{7, 1, 1});
    CHECK(*parse_extents("7,8,9", "--grid") == Dim3{7, 8, 9});
    for (const char* text : {"", "0", "1,,1", "1,2,3,4", "-1", "1,0", "a"}) {
        INFO(text);
        REQUIRE_FALSE(parse_extents(text, "--grid").ok());
        CHECK(parse_extents(text, "--grid").error().where.find("--grid") == 0);
    }
}

TEST_CASE("an extent that is no number is told from one that is too large") {
    const auto message = [](const char* text) { return parse_extents(text, "--grid").error().message(); };
    CHECK(*parse_extents("4294967295", "--grid") == Dim3{4294967295U, 1, 1});
    for (const char* text : {"4294967296", "1,99999999999", "1,1,99999999999999999999999"}) {
        INFO(text);
        CHECK_THAT(message(text), Catch::Contains("larger than any launch can have: 4294967295") &&
                                      Catch::Contains("max_grid_x") && Catch::Contains(std::string("--grid ") + text));
    }
    CHECK_THAT(message("1x70000"), Catch::Contains("\"1x70000\" is none") && Catch::Contains("commas"));
    CHECK_THAT(message("2,-1"), Catch::Contains("\"-1\" is none"));
}

// Reference values of FNV-1a 64: draft-eastlake-fnv.
TEST_CASE("the checksum is FNV-1a") {
    CHECK(Checksum().value() == 0xcbf29ce484222325U);
    Checksum of_a;
    of_a.add(std::array{std::byte{'a'}});
    CHECK(of_a.value() == 0xaf63dc4c8601ec8cU);
}

TEST_CASE("the checksum of zeros, of pieces, and of both is that of the bytes one by one") {
    std::vector<std::byte> bytes(50'000);
    bytes[0] = bytes[4096 * 3 + 5] = bytes[49'999] = std::byte{7};
    std::uint64_t expected = 0xcbf29ce484222325U;
    for (const std::byte byte : bytes) expected = (expected ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
    for (const std::size_t piece : {1UL, 1000UL, 4096UL, 4097UL, 50'000UL}) {
        Checksum sum;
        for (std::size_t at = 0; at < bytes.size(); at += piece)
            sum.add(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
        CHECK(sum.value() == expected);
    }
    Checksum sum;
    sum.add(std::span(bytes).first(1));
    sum.add_zeros(Bytes{4096 * 3 + 4});
    sum.add(std::span(bytes).subspan(4096 * 3 + 5, 1));
    sum.add_zeros(Bytes{0});
    sum.add_zeros(Bytes{49'999 - (4096 * 3 + 6)});
    sum.add(std::span(bytes).last(1));
    CHECK(sum.value() == expected);
}
