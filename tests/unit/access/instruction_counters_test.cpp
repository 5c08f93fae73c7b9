// Counts by instruction from segments, and merging of two SMs' counts.
#include <catch2/catch.hpp>

#include "sim/access/instruction_counters.hpp"

using namespace sassafras::sim;

TEST_CASE("segments count warps and lanes of exactly their instructions") {
    InstructionCounters counters(6);
    counters.add_segment({.first = 0, .count = 6, .mask = 0xffffffffU});
    counters.add_segment({.first = 2, .count = 3, .mask = 0x0000000fU});
    counters.add_segment({.first = 4, .count = 1, .mask = 0x80000000U});
    const auto counts = counters.finish();
    REQUIRE(counts.size() == 6);
    const std::uint64_t executed[] = {1, 1, 2, 2, 3, 1};
    const std::uint64_t lanes[] = {32, 32, 36, 36, 37, 32};
    for (std::size_t i = 0; i < 6; ++i) {
        CAPTURE(i);
        CHECK(counts[i].inst_executed == executed[i]);
        CHECK(counts[i].thread_inst_executed == lanes[i]);
    }
}

TEST_CASE("a segment up to the last instruction, and no segment at all") {
    InstructionCounters counters(3);
    CHECK(counters.finish()[2].inst_executed == 0);
    counters.add_segment({.first = 2, .count = 1, .mask = 1});
    CHECK(counters.finish()[1].inst_executed == 0);
    CHECK(counters.finish()[2].inst_executed == 1);
}

TEST_CASE("merged counts are sums") {
    InstructionCounters a(2);
    InstructionCounters b(2);
    GlobalAccess access;
    access.line_count = 2;
    access.sector_count = 5;
    a.add_segment({.first = 0, .count = 2, .mask = 3});
    a.add_shared(0, {.actual = 7, .ideal = 1});
    b.add_segment({.first = 1, .count = 1, .mask = 1});
    b.add_shared(0, {.actual = 2, .ideal = 2});
    b.add_global(1, access, 0xff);
    b.add_global(1, access, 1);
    a.merge(b);
    const auto counts = a.finish();
    CHECK(counts[0].shared_wavefronts == 9);
    CHECK(counts[0].shared_wavefronts_ideal == 3);
    CHECK(counts[0].global_sectors == 0);
    CHECK(counts[1].global_sectors == 10);
    CHECK(counts[1].global_lines == 4);
    CHECK(counts[1].global_lanes == 9);
    CHECK(counts[1].inst_executed == 2);
    CHECK(counts[1].thread_inst_executed == 3);
    CHECK(counts[0].thread_inst_executed == 2);
}
