// The numbers a search may write: their order, their ends, and that every one of them can come.
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/array_file/element_order.hpp"
#include "study/adversary/value_range.hpp"

using namespace sassafras;
using namespace sassafras::study::adversary;

namespace {

std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
std::uint64_t bits(std::int32_t value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits(std::int64_t value) { return std::bit_cast<std::uint64_t>(value); }

ValueRange range(ElementType type, const std::string& text) {
    const auto parsed = parse_value_range(type, text);
    if (!parsed) FAIL(parsed.error().message());
    return *parsed;
}

}  // namespace

TEST_CASE("ordered bits rise as the numbers do, and lead back to them") {
    const auto rises = [](ElementType type, const std::vector<std::uint64_t>& ascending) {
        for (std::size_t i = 0; i < ascending.size(); ++i) {
            CAPTURE(names_of(type).name, i);
            CHECK(from_ordered(type, to_ordered(type, ascending[i])) == ascending[i]);
            if (i != 0) CHECK(to_ordered(type, ascending[i - 1]) < to_ordered(type, ascending[i]));
        }
    };
    rises(ElementType::u32, {0, 1, 0x80000000U, 0xffffffffU});
    rises(ElementType::u64, {0, 1, ~std::uint64_t{0}});
    rises(ElementType::i32, {bits(INT32_MIN), bits(-1), bits(0), bits(INT32_MAX)});
    rises(ElementType::i64, {bits(INT64_MIN), bits(std::int64_t{-1}), bits(std::int64_t{0}), bits(INT64_MAX)});
    rises(ElementType::f32,
          {bits(-1e30F), bits(-1.0F), bits(-1e-40F), bits(-0.0F), bits(0.0F), bits(1e-40F), bits(2.0F)});
    rises(ElementType::f64, {bits(-1e300), bits(-1.0), bits(-0.0), bits(0.0), bits(5e-324), bits(2.0)});
}

TEST_CASE("a range holds its ends and what lies between") {
    CHECK(range(ElementType::u32, "0..4294967295") == ValueRange{});
    const ValueRange some = range(ElementType::i32, "-2..3");
    for (int value = -5; value < 6; ++value) CHECK(some.holds(bits(value)) == (value >= -2 && value <= 3));
    const ValueRange floats = range(ElementType::f32, "-0.5..1e3");
    CHECK(floats.holds(bits(-0.5F)));
    CHECK(floats.holds(bits(1000.0F)));
    CHECK_FALSE(floats.holds(bits(-0.75F)));
    CHECK_FALSE(floats.holds(bits(1000.1F)));
}

TEST_CASE("what is no range is refused") {
    const auto refused = [](ElementType type, const std::string& text) {
        CAPTURE(text);
        const auto parsed = parse_value_range(type, text);
        REQUIRE_FALSE(parsed.ok());
        CHECK(parsed.error().kind == ErrorKind::bad_input);
        CHECK(parsed.error().where == "--values " + text);
    };
    for (const char* text :
         {"", "..", "1", "1.2", "1..", "..1", "2..1", "-1..1", "0..4294967296", "0..1.5", "0...5", "a..b"})
        refused(ElementType::u32, text);
    for (const char* text : {"0..inf", "nan..1", "0..1e39", "1..0.5"}) refused(ElementType::f32, text);
    refused(ElementType::i32, "0..2147483648");
    refused(ElementType::u64, "0..18446744073709551616");
}

TEST_CASE("what is drawn or moved lies in the range; of a small one everything comes", "[property]") {
    Random random(7);
    const auto stays = [&](const ValueRange& some, std::size_t different) {
        std::set<std::uint64_t> drawn;
        std::set<std::uint64_t> moved;
        std::uint64_t number = from_ordered(some.type, some.greatest);
        for (int i = 0; i < 2000; ++i) {
            drawn.insert(some.draw(random));
            number = some.moved(number, random);
            moved.insert(number);
        }
        CAPTURE(names_of(some.type).name, some.least, some.greatest);
        for (const std::uint64_t one : drawn) CHECK(some.holds(one));
        for (const std::uint64_t one : moved) CHECK(some.holds(one));
        CHECK(drawn.size() >= different);
        CHECK(moved.size() >= different);
    };
    stays(range(ElementType::u32, "5..5"), 1);
    stays(range(ElementType::u32, "5..11"), 7);
    stays(range(ElementType::i64, "-3..3"), 7);
    stays(range(ElementType::i64, "-9223372036854775808..9223372036854775807"), 1900);
    stays(range(ElementType::u64, "1..18446744073709551615"), 1900);
    stays(range(ElementType::f32, "-1..1"), 1000);
    stays(range(ElementType::f32, "1..1.0000001"), 2);
    stays(range(ElementType::f64, "-1e308..1e308"), 1000);
    stays(ValueRange{}, 1900);
}

TEST_CASE("floats are drawn by their value: the mean is the middle, within five standard errors", "[property]") {
    Random random(9);
    const ValueRange some = range(ElementType::f32, "2..6");
    double sum = 0;
    constexpr int count = 10000;
    for (int i = 0; i < count; ++i)
        sum += static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(some.draw(random))));
    CHECK(sum / count == Approx(4).margin(5 * 4 / std::sqrt(12.0 * count)));
}
