#include <catch2/catch.hpp>

#include <cstring>

#include "cli/launch_argument.hpp"

using namespace sassafras;
using namespace sassafras::cli;

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
    for (const char* text : {"i32:2147483648", "u32:-1", "i32:", "i32:5x", "i32", "f32:abc", "u64:0x", "u64:0x-1",
                             "bool:1", "buffer:", "buffer:-4", "buffer:16:noise", "buffer:2000000000000", "i32:1.5"}) {
        INFO(text);
        const auto parsed = parse_launch_argument(text);
        REQUIRE_FALSE(parsed.ok());
        CHECK(parsed.error().kind == ErrorKind::bad_input);
        CHECK(parsed.error().where.find(text) != std::string::npos);
    }
}

TEST_CASE("buffers") {
    const auto parsed = parse_launch_argument("buffer:10:iota");
    REQUIRE(parsed.ok());
    const auto& buffer = std::get<BufferArgument>(*parsed);
    CHECK(buffer.size == Bytes{10});
    const auto bytes = make_content(buffer, 1);
    const std::vector<int> expected{0, 0, 0, 0, 1, 0, 0, 0, 2, 0};
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::to_integer<int>(bytes[i]) == expected[i]);
    const BufferArgument random{Bytes{64}, BufferArgument::Content::random};
    CHECK(make_content(random, 1) == make_content(random, 1));
    CHECK(make_content(random, 1) != make_content(random, 2));
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

// Reference values of FNV-1a 64: draft-eastlake-fnv.
TEST_CASE("the checksum is FNV-1a") {
    CHECK(checksum({}) == 0xcbf29ce484222325U);
    CHECK(checksum({std::byte{'a'}}) == 0xaf63dc4c8601ec8cU);
}
