#include <catch2/catch.hpp>

#include "sim/timing/sm/stored_lines.hpp"

using sassafras::sim::StoredLines;

TEST_CASE("the first store to a line is no hit, later ones are") {
    StoredLines lines;
    CHECK_FALSE(lines.store(0));
    CHECK(lines.store(0));
    CHECK_FALSE(lines.store(7));
    CHECK(lines.store(7));
    CHECK(lines.store(0));
}

TEST_CASE("a line is forgotten when another takes its place") {
    StoredLines lines;
    CHECK_FALSE(lines.store(3));
    for (std::uint64_t line = 4; line < 3 + 1024; ++line) CHECK_FALSE(lines.store(line));
    CHECK(lines.store(3));
    CHECK_FALSE(lines.store(3 + 1024));
    CHECK_FALSE(lines.store(3));
}
