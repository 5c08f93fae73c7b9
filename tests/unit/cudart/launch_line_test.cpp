// Launches of several streams: one after the other, and back to a stream that was left. Begins are nanoseconds.
#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <vector>

#include "cudart/launch_line.hpp"

using namespace sassafras::cudart;

namespace {

constexpr LaunchTurn turn{.turn = 10, .back = 25};

struct PutLaunch {
    double at;
    std::uint64_t stream;
    bool behind = false;
};

/// When each begins.
std::vector<double> begins(const std::vector<PutLaunch>& puts, LaunchTurn costs = turn) {
    LaunchLine line;
    std::vector<double> begins(puts.size());
    std::size_t next = 0;
    for (std::size_t left = puts.size(); left > 0;) {
        const double now = std::min(line.next(), next < puts.size() ? puts[next].at : line.next());
        for (; next < puts.size() && puts[next].at <= now; ++next)
            line.add(now, {next, puts[next].stream, costs, puts[next].behind});
        while (const auto launch = line.take(now)) {
            begins[*launch] = now;
            --left;
        }
    }
    return begins;
}

using Begins = std::vector<double>;

}  // namespace

TEST_CASE("launches of one stream do not wait for each other") {
    CHECK(begins({{0, 1}, {2, 1, true}, {50, 1, true}}) == Begins{0, 2, 50});
}

TEST_CASE("launches of several streams are a turn apart") {
    CHECK(begins({{0, 1}, {0, 2}, {5, 3}, {92, 4}, {100, 5}}) == Begins{0, 10, 20, 92, 102});
}

TEST_CASE("a stream that was left is gone back to, right behind its kernel") {
    CHECK(begins({{0, 1}, {20, 2}, {1000, 1, true}, {1100, 1, true}, {1200, 2}}) == Begins{0, 20, 1025, 1100, 1200});
}

TEST_CASE("while a stream is gone back to, others launch") {
    CHECK(begins({{0, 1}, {20, 2}, {100, 1, true}, {105, 3}}) == Begins{0, 20, 125, 105});
}

TEST_CASE("where turns take no time launches do not hold each other up") {
    CHECK(begins({{7, 1}, {7, 2}, {7, 1, true}}, {}) == Begins{7, 7, 7});
}

TEST_CASE("launches of different streams are never less than a turn apart, and none is early") {
    std::mt19937 random(9);
    for (int round = 0; round < 100; ++round) {
        std::vector<PutLaunch> puts;
        double at = 0;
        for (int i = 0; i < 80; ++i) {
            at += static_cast<double>(random() % 300) / 7;
            puts.push_back({at, random() % 5, random() % 2 == 0});
        }
        const Begins times = begins(puts);
        std::multimap<double, std::uint64_t> in_order;
        for (std::size_t i = 0; i < puts.size(); ++i) {
            REQUIRE(times[i] >= puts[i].at);
            in_order.emplace(times[i], puts[i].stream);
        }
        for (auto next = std::next(in_order.begin()); next != in_order.end(); ++next) {
            const auto& [before, stream] = *std::prev(next);
            if (stream != next->second) REQUIRE(next->first >= before + 10 - 1e-9);
        }
    }
}
