// Which work belongs to which NVTX range.
#include <catch2/catch.hpp>

#include "cli/reports/timeline_ranges.hpp"

namespace sassafras::cli {
namespace {

using RangeKind = cudart::TimelineEntry::Kind;

cudart::TimelineEntry call(RangeKind kind, double time, std::uint64_t thread, const char* domain = "",
                           std::uint64_t number = 0) {
    return {kind, time, time, thread, domain, "r", number, 1, 0};
}
cudart::TimelineEntry work(double begin, double end, std::uint64_t thread) {
    return {RangeKind::kernel, begin, end, thread, "stream 7", "", 0, 1, 0};
}

TEST_CASE("A range has the work that its thread asks for within it") {
    NvtxRanges ranges;
    ranges.add(call(RangeKind::push, 0, 0));
    ranges.add(work(10, 20, 0));
    ranges.add(work(5, 8, 1));  // another thread's
    ranges.add(call(RangeKind::push, 1, 0));
    ranges.add(work(20, 30, 0));
    ranges.add(call(RangeKind::pop, 2, 0));
    ranges.add(work(30, 40, 0));
    ranges.add(call(RangeKind::pop, 3, 0));
    ranges.add(work(40, 50, 0));
    const auto all = ranges.finish(100);
    REQUIRE(all.size() == 2);
    CHECK(all[0].work.pieces == 3);
    CHECK(all[0].work.begin == 10);
    CHECK(all[0].work.end == 40);
    CHECK(all[0].end == 3);
    CHECK(all[1].work.pieces == 1);
    CHECK(all[1].begin == 1);
    CHECK(all[1].end == 2);
}

TEST_CASE("Domains have stacks of their own, a range of the process has all threads' work") {
    NvtxRanges ranges;
    ranges.add(call(RangeKind::range_start, 0, 0, "", 4));
    ranges.add(call(RangeKind::push, 1, 0, "a"));
    ranges.add(call(RangeKind::push, 2, 0, "b"));
    ranges.add(call(RangeKind::pop, 3, 0, "a"));
    ranges.add(call(RangeKind::pop, 3, 0, "none"));
    ranges.add(work(10, 20, 1));
    ranges.add(call(RangeKind::range_end, 5, 1, "", 4));
    ranges.add(call(RangeKind::range_end, 6, 1, "", 4));
    const auto all = ranges.finish(100);
    REQUIRE(all.size() == 3);
    CHECK_FALSE(all[0].thread.has_value());
    CHECK(all[0].work.pieces == 1);
    CHECK(all[0].end == 5);
    CHECK(all[1].end == 3);
    CHECK(all[1].ended);
    CHECK_FALSE(all[2].ended);
    CHECK(all[2].end == 100);
}

}  // namespace
}  // namespace sassafras::cli
