#include <catch2/catch.hpp>

#include "sim/formats/trace_file/column.hpp"

using namespace sassafras::sim;

TEST_CASE("Numbers of every length come back") {
    ColumnWriter writer;
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t value = std::uint64_t{1} << bit;
        writer.put_number(value - 1);
        writer.put_number(value);
        writer.put_difference(value);
        writer.put_difference(0 - value);
    }
    writer.put_number(~std::uint64_t{0});
    ColumnReader reader(writer.bytes());
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t value = std::uint64_t{1} << bit;
        REQUIRE(reader.number() == value - 1);
        REQUIRE(reader.number() == value);
        REQUIRE(reader.difference() == value);
        REQUIRE(reader.difference() == 0 - value);
    }
    REQUIRE(reader.number() == ~std::uint64_t{0});
    CHECK(reader.left() == 0);
    CHECK_FALSE(reader.failed());
}

TEST_CASE("Small differences take one byte") {
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{63}, 0 - std::uint64_t{64}}) {
        ColumnWriter writer;
        writer.put_difference(value);
        CHECK(writer.size() == 1);
    }
}

TEST_CASE("Reading behind the end fails, gives zeros and takes nothing") {
    ColumnWriter writer;
    writer.put_byte(0x80);  // more is to come, but does not
    ColumnReader number(writer.bytes());
    CHECK(number.number() == 0);
    CHECK(number.failed());
    ColumnReader word(writer.bytes());
    CHECK(word.word64() == 0);
    CHECK(word.failed());
    ColumnReader bytes(writer.bytes());
    CHECK(bytes.take(2).empty());
    CHECK(bytes.failed());
}

TEST_CASE("A number that never ends fails") {
    ColumnWriter writer;
    for (int i = 0; i < 20; ++i) writer.put_byte(0xff);
    ColumnReader reader(writer.bytes());
    (void)reader.number();
    CHECK(reader.failed());
}
