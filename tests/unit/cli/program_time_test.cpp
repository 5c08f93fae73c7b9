// A program's time is divided among what goes on, and all of it belongs to one part.
#include <catch2/catch.hpp>

#include "cli/reports/program_time.hpp"

namespace sassafras::cli {
namespace {

using Kind = cudart::TimelineEntry::Kind;

cudart::TimelineEntry entry(Kind kind, double begin, double end, std::size_t process = 0) {
    cudart::TimelineEntry result;
    result.kind = kind;
    result.begin = begin;
    result.end = end;
    result.process = process;
    return result;
}

TEST_CASE("Each moment belongs to the first part of which something runs") {
    //            0    10   20   30   40   50   60
    // kernels         [---------)         [----)
    // copies     [---------)                          and [70, 80)
    // sets                 [---------)
    const auto times = program_times({entry(Kind::kernel, 10, 30), entry(Kind::kernel, 50, 60),
                                      entry(Kind::kernel, 15, 25), entry(Kind::copy, 0, 20), entry(Kind::set, 20, 40),
                                      entry(Kind::copy, 70, 80), entry(Kind::host_waits, 0, 60)});
    REQUIRE(times.size() == 1);
    const ProgramTime& time = times[0];
    CHECK(time.parts[0].alone == 30);
    CHECK(time.parts[0].together == 40);
    CHECK(time.parts[0].count == 3);
    CHECK(time.parts[1].alone == 20);
    CHECK(time.parts[1].together == 30);
    CHECK(time.parts[2].alone == 10);
    CHECK(time.parts[2].together == 20);
    CHECK(time.parts[3].count == 0);
    CHECK(time.idle == 20);
    CHECK(time.total == 80);
    CHECK(time.host_waits == 60);
}

TEST_CASE("Processes have a time each, and their sum") {
    const auto times = program_times({entry(Kind::kernel, 0, 10), entry(Kind::event, 5, 20, 1)});
    REQUIRE(times.size() == 2);
    CHECK(times[0].total == 10);
    CHECK(times[1].total == 20);
    CHECK(times[1].idle == 5);
    CHECK(sum_of(times).total == 30);
    CHECK(to_table(times).find("of 2 processes") != std::string::npos);
    CHECK(to_table(program_times({})).empty());
}

TEST_CASE("Transfers beyond the most are counted") {
    const auto json = time_json({entry(Kind::copy, 0, 1), entry(Kind::set, 1, 2), entry(Kind::copy, 2, 3)}, 2);
    CHECK(json["transfers"].size() == 2);
    CHECK(json["transfers_left_out"] == 1);
    CHECK(json["copies"]["count"] == 2);
}

}  // namespace
}  // namespace sassafras::cli
