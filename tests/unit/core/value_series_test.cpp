#include "core/value_series.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace sassafras;

namespace {

using Values = std::vector<std::uint64_t>;

Values values(const std::string& text) {
    const auto parsed = parse_series(text, "--n");
    CAPTURE(text);
    REQUIRE(parsed.ok());
    return *parsed;
}

std::string fault(const std::string& text) {
    const auto parsed = parse_series(text, "--n");
    CAPTURE(text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().kind == ErrorKind::bad_input);
    CHECK(parsed.error().where.starts_with("--n "));
    CHECK_FALSE(parsed.error().remedy.empty());
    return parsed.error().what;
}

}  // namespace

TEST_CASE("series: numbers, powers, lists and ranges") {
    CHECK(values("4096") == Values{4096});
    CHECK(values("2^12") == Values{4096});
    CHECK(values("10^8") == Values{100'000'000});
    CHECK(values("0") == Values{0});
    CHECK(values("2^0") == Values{1});
    CHECK(values("1,20,300") == Values{1, 20, 300});
    CHECK(values("2^10..2^13") == Values{1024, 2048, 4096, 8192});
    CHECK(values("2^10..2^14:x4") == Values{1024, 4096, 16384});
    CHECK(values("1000..9000") == Values{1000, 2000, 4000, 8000});  // the end only where a step meets it
    CHECK(values("32..128:+32") == Values{32, 64, 96, 128});
    CHECK(values("2..5:+1,31") == Values{2, 3, 4, 5, 31});
    CHECK(values("7..7") == Values{7});
    CHECK(values("0..4:+2") == Values{0, 2, 4});
    CHECK(values("2^62..9223372036854775807") == Values{std::uint64_t{1} << 62U});
}

TEST_CASE("series: what is none is refused") {
    for (const char* text : {"", ",", "1,", "x", "-1", "1.5", "2^", "^3", "2^64", "9223372036854775808", "1..", "..5",
                             "1..x", "0x10", "1e8"})
        fault(text);
    CHECK(fault("8..4") == "the range goes down");
    CHECK(fault("0..8") == "a range that multiplies never leaves 0");
    for (const char* text :
         {"1..8:x1", "1..8:x0", "1..8:+0", "1..8:*2", "1..8:", "1..8:x", "1.5..2:+1", "1..2.5", "1.5..2:+0.1"})
        CHECK(fault(text) == "a range is of whole numbers, its step xF or +D, too");
    CHECK(fault("1..10^6:+1") == "a series has at most 10000 values");
}

TEST_CASE("a plain number is no series") {
    CHECK_FALSE(is_series("4096"));
    CHECK_FALSE(is_series(""));
    CHECK_FALSE(is_series("abc"));
    CHECK(is_series("1,2"));
    CHECK(is_series("2^3"));
    CHECK(is_series("1..2"));
}
