// Records of events for timing, one after the other. Ends are nanoseconds.
#include <catch2/catch.hpp>

#include <random>
#include <vector>

#include "cudart/record_line.hpp"

using namespace sassafras::cudart;

namespace {

struct PutRecord {
    double at;
    std::uint64_t stream;
    double since = 0;
};

/// When each ends.
std::vector<double> ends(const std::vector<PutRecord>& puts, double nanoseconds = 100, RecordTurn turn = {.turn = 10}) {
    RecordLine line;
    std::vector<double> ends(puts.size());
    std::size_t next = 0;
    for (std::size_t left = puts.size(); left > 0;) {
        const double now = std::min(line.next(), next < puts.size() ? puts[next].at : line.next());
        while (const auto record = line.take(now)) {
            ends[*record] = now;
            --left;
        }
        for (; next < puts.size() && puts[next].at <= now; ++next)
            line.add(now, {next, puts[next].stream, nanoseconds, turn, puts[next].since});
    }
    return ends;
}

using Ends = std::vector<double>;

}  // namespace

TEST_CASE("records of one stream follow each other, those of several are a turn apart") {
    CHECK(ends({{0, 1}, {100, 1}, {150, 2}, {160, 3}}) == Ends{100, 200, 310, 420});
    CHECK(ends({{0, 4}, {109, 5}, {235, 6}}) == Ends{100, 210, 335});  // nothing for 6 to meet
}

TEST_CASE("what a stream has waited for is not in its way") { CHECK(ends({{0, 1}, {100, 2, 100}}) == Ends{100, 200}); }

TEST_CASE("where turns take no time records go on beside each other but for one behind another") {
    CHECK(ends({{0, 1}, {50, 2}}, 100, {}) == Ends{100, 150});
}

TEST_CASE("records never overlap, and those of different streams are a turn apart") {
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        std::vector<PutRecord> puts;
        double at = 0;
        for (int i = 0; i < 60; ++i) {
            at += static_cast<double>(random() % 60);
            puts.push_back({at, random() % 3});
        }
        const Ends times = ends(puts, 20);
        for (std::size_t i = 0; i < puts.size(); ++i) {
            REQUIRE(times[i] >= puts[i].at + 20);
            if (i > 0) REQUIRE(times[i] - 20 >= times[i - 1] + (puts[i].stream == puts[i - 1].stream ? 0 : 10));
        }
    }
}
