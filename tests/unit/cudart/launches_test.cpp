// Launches of several streams: one after the other, and back to a stream that was left. Times are nanoseconds.
#include <catch2/catch.hpp>

#include <random>
#include <vector>

#include "cudart/launches.hpp"

using namespace sassafras::cudart;

namespace {

constexpr LaunchTurn first{.turn = 10, .back = 25};
constexpr LaunchTurn behind{.turn = 10, .back = 25, .behind = true};

}  // namespace

TEST_CASE("launches of one stream do not wait for each other") {
    Launches launches;
    CHECK(launches.take(1, 0, first) == 0);
    CHECK(launches.take(1, 2, behind) == 2);
    CHECK(launches.take(1, 50, behind) == 50);
}

TEST_CASE("launches of several streams are a turn apart") {
    Launches launches;
    CHECK(launches.take(1, 0, first) == 0);
    CHECK(launches.take(2, 0, first) == 10);
    CHECK(launches.take(3, 5, first) == 20);
    CHECK(launches.take(4, 100, first) == 100);
    CHECK(launches.take(5, 92, first) == 110);  // what was put before keeps its place
    CHECK(launches.take(6, 85, first) == 85);
}

TEST_CASE("a stream that was left is gone back to, right behind its kernel") {
    Launches launches;
    CHECK(launches.take(1, 0, first) == 0);
    CHECK(launches.take(2, 20, first) == 20);
    CHECK(launches.find(1, 1000, behind) == 1025);
    CHECK(launches.take(1, 1000, behind) == 1025);
    CHECK(launches.take(1, 1100, behind) == 1100);  // nobody else meanwhile
    CHECK(launches.take(2, 1200, first) == 1200);   // the host comes with it
}

TEST_CASE("where turns take no time launches do not hold each other up") {
    Launches launches;
    for (std::uint64_t stream = 1; stream < 5; ++stream) CHECK(launches.take(stream, 7, {}) == 7);
}

TEST_CASE("launches of different streams are never less than a turn apart, in whatever order they are put") {
    struct Put {
        double begin;
        std::uint64_t stream;
    };
    std::mt19937 random(9);
    for (int round = 0; round < 100; ++round) {
        Launches launches;
        std::vector<Put> all;
        for (int i = 0; i < 80; ++i) {
            const double earliest = static_cast<double>(random() % 1500) / 7;
            const std::uint64_t stream = random() % 5;
            const double begin = launches.take(stream, earliest, random() % 2 == 0 ? first : behind);
            REQUIRE(begin >= earliest);
            for (const Put& put : all)
                if (put.stream != stream) REQUIRE((begin >= put.begin + 10 - 1e-9 || put.begin >= begin + 10 - 1e-9));
            all.push_back({begin, stream});
        }
    }
}

TEST_CASE("launches that are over are forgotten") {
    Launches launches;
    CHECK(launches.take(1, 0, first) == 0);
    launches.forget_before(10);
    CHECK(launches.take(2, 5, first) == 5);
}
