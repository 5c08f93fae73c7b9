#include "core/spelling.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>

using namespace sassafras;

TEST_CASE("edit distance") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("wyas", "ways") == 1);  // one swap of neighbours
    CHECK(edit_distance("ca", "abc") == 3);     // the restricted distance: no edit inside a swap
}

TEST_CASE("suggestions") {
    const std::array<std::string, 4> known = {"latency_cycles", "l1_ways", "slices", "bandwidth_gb_per_s"};
    REQUIRE(suggest("latency_ns", known).has_value());
    CHECK(suggest("latency_ns", known)->name == "latency_cycles");
    CHECK(suggest("latency_ns", known)->unit_differs);
    CHECK(suggest("latency", known)->unit_differs);
    CHECK(suggest("bandwidth_tb_per_s", known)->name == "bandwidth_gb_per_s");
    CHECK(suggest("l1_way", known)->name == "l1_ways");
    CHECK_FALSE(suggest("l1_way", known)->unit_differs);
    CHECK_FALSE(suggest("temperature", known).has_value());
    CHECK_FALSE(suggest("x", {}).has_value());
}
