// The port by which a sub-core's warps get lines of code, and what a jump waits for.
#include "sim/timing/sm/line_port.hpp"
#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

TEST_CASE("a port gives a line every so many cycles") {
    LinePort port(3);
    CHECK(port.book(100, 100) == 100);
    CHECK(port.book(100, 100) == 103);
    CHECK(port.book(101, 101) == 106);
    CHECK(port.book(120, 120) == 120);
}

TEST_CASE("a line that is asked for later leaves room before it, if it is room enough") {
    LinePort port(3);
    CHECK(port.book(100, 108) == 108);
    CHECK(port.book(100, 100) == 100);
    CHECK(port.book(100, 103) == 103);
    CHECK(port.book(100, 105) == 111);  // two cycles are too few
    CHECK(port.book(106, 106) == 114);
}

TEST_CASE("a port without an interval is always free") {
    LinePort port(0);
    CHECK(port.book(100, 100) == 100);
    CHECK(port.book(100, 100) == 100);
}

TEST_CASE("whoever begins at the last words of a line waits for the next") {
    Platform platform = bare_platform();
    platform.fetch = fixture_fetch();
    platform.fetch.line_bytes = 128;
    platform.fetch.l0_miss_latency_cycles = platform.fetch.l1_miss_latency_cycles = 1;
    platform.fetch.fill_interval_cycles = 1;
    platform.fetch.prefetch_lines = 2;
    platform.fetch.l0_latency_cycles = 2;
    platform.fetch.line_interval_cycles = 2;
    platform.fetch.next_line_cycles = 3;
    const Script script = Script().add(fp32_add, {.stall = 1}, 20).exit();
    const auto waits = [&](std::uint32_t first) {
        return simulate(platform, script, 1, 1, [first](std::uint32_t) { return first; }).cycles.count + first;
    };
    CHECK(waits(4) == waits(2));
    CHECK(waits(5) == waits(2));
    CHECK(waits(6) == waits(2) + 1);
    CHECK(waits(7) == waits(2) + 2);
}
