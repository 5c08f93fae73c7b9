#include "core/spelling.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

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
    CHECK(suggest("--e", std::array<std::string, 2>{"--n", "--E"})->name == "--E");
}

TEST_CASE("a part of a name suggests it where no other has that part") {
    const std::array<std::string, 3> known = {"_Z5saxpyPfS_", "_Z8sort_oddPi", "_Z9sort_evenPi"};
    REQUIRE(suggest("saxpy", known).has_value());
    CHECK(suggest("saxpy", known)->name == "_Z5saxpyPfS_");
    CHECK_FALSE(suggest("sort", known).has_value());
    CHECK_FALSE(suggest("Pf", known).has_value());
}

TEST_CASE("the remedy for an unknown name suggests and lists") {
    const std::array<std::string, 3> known = {"gemm", "merge", "sort"};
    CHECK(name_one_of("gmem", known) == "did you mean \"gemm\"? there are gemm, merge, sort");
    CHECK(name_one_of("temperature", known) == "there are gemm, merge, sort");
    CHECK(name_one_of("x", {}) == "there are none");
    CHECK(name_one_of("x", std::array<std::string, 1>{"y"}) == "there is only y");
    std::vector<std::string> many(14, "k");
    CHECK(name_one_of("xyz", many) == "there are k, k, k, k, k, k, k, k, k, k, k, k and 2 more");
}
