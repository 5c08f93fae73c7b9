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

TEST_CASE("a warp parts where fewer of the same lanes go on") {
    InstructionCounters counters(6);
    const Segment all{.first = 0, .count = 3, .mask = 0xff};
    const Segment some{.first = 4, .count = 1, .mask = 0x0f};
    const Segment others{.first = 3, .count = 2, .mask = 0xf0};
    counters.add_segment(all);
    counters.add_segment(some, all);     // part at 2
    counters.add_segment(others, some);  // others take their turn
    counters.add_segment(all, others);   // all again
    counters.add_segment(all, all);
    const auto counts = counters.finish();
    for (std::size_t i = 0; i < counts.size(); ++i) CHECK(counts[i].partings == (i == 2 ? 1 : 0));
}

TEST_CASE("an access is replayed for each wavefront and line beyond its first") {
    InstructionCounters counters(3);
    counters.add_shared(0, {.actual = 7, .ideal = 1});
    counters.add_shared(0, {});  // no lane
    GlobalAccess access;
    access.line_count = 32;
    counters.add_global(1, access, ~0U);
    counters.add_local(2, 4, 16);
    counters.add_local(2, 1, 4);
    const auto counts = counters.finish();
    CHECK(counts[0].replays == 6);
    CHECK(counts[1].replays == 31);
    CHECK(counts[2].replays == 3);
    CHECK(counts[2].local_sectors == 20);
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
