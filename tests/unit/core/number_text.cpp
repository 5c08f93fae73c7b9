#include "core/number_text.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace sassafras;

TEST_CASE("digits in groups of three") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1,000");
    CHECK(grouped(161092) == "161,092");
    CHECK(grouped(1234567) == "1,234,567");
    CHECK(grouped(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}

TEST_CASE("numbers are rounded to what a reader can use") {
    CHECK(rounded(0) == "0");
    CHECK(rounded(-0.0) == "0");
    CHECK(rounded(10930) == "10,930");
    CHECK(rounded(-10930) == "-10,930");
    CHECK(rounded(615.2878787878788) == "615.29");
    CHECK(rounded(0.2897141027850969) == "0.29");
    CHECK(rounded(1234567.891) == "1,234,567.89");
    CHECK(rounded(999999.999) == "1,000,000.00");
    CHECK(rounded(0.0018699532511687207) == "0.0019");
    CHECK(rounded(-0.0018699532511687207) == "-0.0019");
    CHECK(rounded(0.005) == "0.01");
    CHECK(rounded(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("bytes and times get a unit of fitting size") {
    const auto text = [](double value, const char* unit) {
        const Quantity q = quantity(value, unit);
        return q.value + " " + q.unit;
    };
    CHECK(text(999, "byte") == "999 byte");
    CHECK(text(80000, "byte") == "80 Kbyte");
    CHECK(text(2116352, "byte") == "2.12 Mbyte");
    CHECK(text(4e12, "byte") == "4,000 Gbyte");
    CHECK(text(5520.20202, "ns") == "5.52 us");
    CHECK(text(12.5, "ns") == "12.50 ns");
    CHECK(text(1.5e9, "ns") == "1.50 s");
    CHECK(text(10930, "cycle") == "10,930 cycle");
}
