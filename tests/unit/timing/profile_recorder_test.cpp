// Where intervals of a launch end, and that there are never too many.
#include <catch2/catch.hpp>

#include "sim/timing/profile_recorder.hpp"

namespace sassafras::sim {
namespace {

/// A launch that issues an instruction a cycle, in rounds of `round` cycles with `pause` cycles of nothing behind each.
LaunchProfile profile_of(std::uint64_t interval, std::uint64_t rounds, std::uint64_t round, std::uint64_t pause) {
    ProfileRecorder recorder({interval, 0});
    std::uint64_t issued = 0;
    const auto counted = [&](std::uint64_t end) {
        IntervalCounts counts;
        counts.end = end;
        counts.instructions = issued;
        return counts;
    };
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        const std::uint64_t begin = i == 0 ? 0 : last + pause;
        if (begin >= recorder.next()) recorder.reached(last, begin, counted);
        issued += round;
        last = begin + round;
    }
    return recorder.finish(counted(last));
}

TEST_CASE("An interval ends with the round in which its last cycle lies") {
    const LaunchProfile profile = profile_of(1000, 9, 300, 0);
    std::vector<std::uint64_t> ends;
    for (const IntervalCounts& counts : profile.intervals) {
        ends.push_back(counts.end);
        CHECK(counts.instructions == counts.end - counts.begin);
    }
    CHECK(ends == std::vector<std::uint64_t>{1200, 2100, 2700});
}

TEST_CASE("Where nothing happens for long, an interval ends at a multiple of its length") {
    const LaunchProfile profile = profile_of(1000, 3, 100, 5150);
    REQUIRE(profile.intervals.size() == 3);
    CHECK(profile.intervals[0].end == 5000);  // the round that begins at 5,250
    CHECK(profile.intervals[0].instructions == 100);
    CHECK(profile.intervals[1].end == 10000);
    CHECK(profile.intervals[1].instructions == 100);
    CHECK(profile.intervals[2].end == 10600);
}

TEST_CASE("Intervals double when there are too many, and still add up") {
    const std::uint64_t rounds = 3 * ProfileRecorder::most_intervals;
    const LaunchProfile profile = profile_of(10, rounds, 10, 0);
    CHECK(profile.interval == 40);
    CHECK(profile.intervals.size() <= ProfileRecorder::most_intervals);
    std::uint64_t instructions = 0;
    std::uint64_t end = 0;
    for (const IntervalCounts& counts : profile.intervals) {
        CHECK(counts.begin == end);
        end = counts.end;
        instructions += counts.instructions;
    }
    CHECK(end == 10 * rounds);
    CHECK(instructions == 10 * rounds);
}

TEST_CASE("Blocks have their times, the most that are kept and how many are not") {
    ProfileRecorder recorder({0, 2});
    CHECK(recorder.next() == ProfileRecorder::never);
    for (std::uint64_t block = 0; block < 4; ++block) recorder.start({block, 7, 100 + block});
    for (std::uint64_t block = 0; block < 3; ++block) recorder.finish(block, 7, 200 + block);
    const LaunchProfile profile = recorder.finish(IntervalCounts{});
    CHECK(profile.intervals.empty());
    REQUIRE(profile.blocks.size() == 2);
    CHECK(profile.blocks[1].block == 1);
    CHECK(profile.blocks[1].sm == 7);
    CHECK(profile.blocks[1].start == 101);
    CHECK(profile.blocks[1].end == 201);
    CHECK(profile.blocks_left_out == 1);
}

}  // namespace
}  // namespace sassafras::sim
