// A stage that takes one thing a cycle, against a plain set of taken cycles.
#include <catch2/catch.hpp>

#include <cstdint>
#include <set>

#include "sim/engine/slot_calendar.hpp"

using sassafras::sim::SlotCalendar;

TEST_CASE("what is booked later takes an earlier cycle that is free") {
    SlotCalendar calendar;
    CHECK(calendar.take(10) == 10);
    CHECK(calendar.take(12) == 12);
    CHECK(calendar.take(10) == 11);
    CHECK(calendar.take(10) == 13);
    CHECK(calendar.take(0) == 0);
}

TEST_CASE("no cycle is taken twice, and none is passed over") {
    for (const std::uint64_t reach : {5U, 300U, 900U}) {
        SlotCalendar calendar;
        std::set<std::uint64_t> taken;
        std::uint64_t state = reach;
        std::uint64_t now = 0;
        for (int i = 0; i < 20'000; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            now += state >> 62U;
            calendar.advance(now);
            const std::uint64_t from = now + (state >> 33U) % reach;
            std::uint64_t expected = from;
            while (taken.contains(expected)) ++expected;
            REQUIRE(calendar.take(from) == expected);
            taken.insert(expected);
            taken.erase(taken.begin(), taken.lower_bound(now));
        }
    }
}

TEST_CASE("beyond the horizon nothing is taken twice either") {
    SlotCalendar calendar;
    std::set<std::uint64_t> taken;
    for (std::uint64_t i = 0; i < 3 * SlotCalendar::horizon; ++i) CHECK(taken.insert(calendar.take(0)).second);
    for (std::uint64_t now = 0; now < 4 * SlotCalendar::horizon; now += 37) {
        calendar.advance(now);
        CHECK(taken.insert(calendar.take(now)).second);
    }
}

TEST_CASE("time may pass in leaps") {
    SlotCalendar calendar;
    CHECK(calendar.take(100) == 100);
    calendar.advance(1'000'000'007);
    CHECK(calendar.take(1'000'000'007) == 1'000'000'007);
    CHECK(calendar.take(1'000'000'007) == 1'000'000'008);
}
