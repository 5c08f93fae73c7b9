// A bounded number of loads that L2 has not answered.
#include <catch2/catch.hpp>

#include "sim/timing/sm/load_places.hpp"

using namespace sassafras::sim;

TEST_CASE("the third of three loads leaves when the first of two places is free") {
    LoadPlaces places(2, 300);
    std::vector<MemoryRequest> sent;
    for (const std::uint32_t token : {1U, 2U, 3U, 4U}) places.send({.time = 100 + token, .token = token}, 100, sent);
    REQUIRE(sent.size() == 2);
    places.answered(500, sent);
    REQUIRE(sent.size() == 3);
    CHECK(sent[2].token == 3);
    CHECK(sent[2].time == 500);
    places.answered(50, sent);  // never before it is there itself
    REQUIRE(sent.size() == 4);
    CHECK(sent[3].time == 104);
    places.answered(600, sent);
    places.send({.time = 700, .token = 5}, 650, sent);
    REQUIRE(sent.size() == 5);
    CHECK(sent[4].time == 700);
}

TEST_CASE("without a bound all leave at once") {
    LoadPlaces places(0, 300);
    std::vector<MemoryRequest> sent;
    for (std::uint32_t token = 0; token < 1000; ++token) places.send({.time = 7, .token = token}, 7, sent);
    CHECK(sent.size() == 1000);
    places.answered(9, sent);
    CHECK(sent.size() == 1000);
}

TEST_CASE("who waits for a place is expected to leave as others before leave theirs") {
    LoadPlaces places(4, 300);
    std::vector<MemoryRequest> sent;
    const auto send = [&](std::uint64_t time, std::uint64_t now) { return places.send({.time = time}, now, sent); };
    for (int i = 0; i < 4; ++i) CHECK(send(100, 90) == 100);
    CHECK(send(100, 90) == 90 + 300 / 4);
    CHECK(send(100, 90) == 90 + 2 * 300 / 4);
    CHECK(send(5000, 90) == 5000);  // not before it is there
    for (int i = 0; i < 1000; ++i) places.note_trip(1200);
    CHECK(send(100, 90) > 90 + 4 * 1150 / 4);
    CHECK(send(100, 90) <= 90 + 5 * 1200 / 4);
}
