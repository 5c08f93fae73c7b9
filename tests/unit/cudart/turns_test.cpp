// Records of events for timing, in the order of their times whatever the order in which they are put.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include "cudart/turns.hpp"

using namespace sassafras::cudart;

namespace {

constexpr Recording of(std::uint64_t stream, double since = 0) {
    return {.stream = stream, .since = since, .turn = 10, .meeting = 25};
}

}  // namespace

TEST_CASE("records of one stream follow each other, those of several are a turn apart") {
    Turns turns;
    CHECK(turns.take(0, 100, of(1)) == 100);
    CHECK(turns.take(100, 100, of(1)) == 200);
    CHECK(turns.take(150, 100, of(2)) == 325);  // the first two that meet
    CHECK(turns.take(160, 100, of(3)) == 435);
    CHECK(turns.take(1000, 100, of(4)) == 1100);  // meets none
    CHECK(turns.take(1109, 100, of(5)) == 1225);
    CHECK(turns.take(1235, 100, of(6)) == 1335);
}

TEST_CASE("a record that was put before is met by one that begins earlier") {
    Turns turns;
    CHECK(turns.take(1000, 100, of(1)) == 1100);
    CHECK(turns.take(800, 100, of(2)) == 900);
    CHECK(turns.take(895, 100, of(1)) == 1200);  // finds no place between the two
    CHECK(turns.take(895, 1, of(3)) == 911);
}

TEST_CASE("what a stream has waited for is not in its way") {
    Turns turns;
    CHECK(turns.take(0, 100, of(1)) == 100);
    CHECK(turns.take(100, 100, of(2, 100)) == 200);
}

TEST_CASE("records never overlap, and those of different streams are a turn apart") {
    struct Put {
        double begin, end;
        std::uint64_t stream;
    };
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        Turns turns;
        std::vector<Put> all;
        for (int i = 0; i < 60; ++i) {
            const double earliest = static_cast<double>(random() % 2000);
            const std::uint64_t stream = random() % 3;
            const double end = turns.take(earliest, 20, of(stream));
            REQUIRE(end >= earliest + 20);
            for (const Put& put : all) {
                const double apart = put.stream == stream ? 0 : 10;
                REQUIRE((end - 20 >= put.end + apart || put.begin >= end + apart));
            }
            all.push_back({end - 20, end, stream});
        }
    }
}

TEST_CASE("a record behind a kernel that took turns with others meets theirs, though they are told earlier") {
    Turns turns;
    Recording late = of(3);
    late.lost = 500;
    CHECK(turns.take(0, 100, of(1)) == 100);
    CHECK(turns.take(400, 100, of(2)) == 500);
    CHECK(turns.take(700, 100, of(3)) == 800);  // lost nothing
    late.stream = 4;
    CHECK(turns.take(900, 100, late) == 900 + 25 + 110 + 100);  // those of 2 and 3
    late.stream = 5;
    late.since = 1235;
    CHECK(turns.take(1300, 100, late) == 1400);  // has waited for them
}

TEST_CASE("of another stream's records one counts, however many there are") {
    Turns turns;
    for (int i = 0; i < 50; ++i) CHECK(turns.take(20 * i, 10, of(1)) == 20 * i + 10);
    Recording late = of(2);
    late.lost = 1000;
    CHECK(turns.take(1010, 10, late) == 1010 + 25 + 10);
}

TEST_CASE("records that are over are forgotten") {
    Turns turns;
    CHECK(turns.take(0, 100, of(1)) == 100);
    turns.forget_before(100);
    CHECK(turns.take(100, 100, of(2)) == 200);
}
