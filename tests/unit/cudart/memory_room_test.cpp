// What kernels beside each other get of L2 and device memory. Times are nanoseconds.
#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "cudart/memory_room.hpp"

using namespace sassafras::cudart;

namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

GpuBusy dram(double share) {
    GpuBusy wanted{};
    wanted[static_cast<std::size_t>(GpuUnit::dram)] = share;
    return wanted;
}

/// The end of a kernel of so many nanoseconds.
double end(MemoryRoom& room, double begin, double nanoseconds, double share, double rate = 1) {
    const MemoryRoom::Progress progress = room.run(begin, forever, nanoseconds, rate, dram(share));
    CHECK(progress.done == Approx(nanoseconds));
    return progress.time;
}

}  // namespace

TEST_CASE("kernels that together ask for no more than there is go on as alone") {
    MemoryRoom room;
    CHECK(end(room, 0, 100, 0.5) == Approx(100));
    CHECK(end(room, 50, 100, 0.5) == Approx(150));
    CHECK(end(room, 0, 100, 0) == Approx(100));
}

TEST_CASE("the last of several kernels ends when all that they ask for is done") {
    MemoryRoom room;
    CHECK(end(room, 0, 100, 0.5) == Approx(100));
    CHECK(end(room, 0, 100, 0.5) == Approx(100));
    CHECK(end(room, 0, 100, 0.5) == Approx(150));
    CHECK(end(room, 0, 100, 0.5) == Approx(200));
}

TEST_CASE("short kernels beside a long one share with it, not with those that are over") {
    MemoryRoom room;
    CHECK(end(room, 0, 1000, 1) == Approx(1000));
    for (int i = 1; i < 5; ++i) CHECK(end(room, 100 * i, 10, 1) == Approx(100 * i + 20));
    // The long one has lost 40 of its time, and so much is asked for behind its end.
    CHECK(end(room, 1000, 10, 1) == Approx(1020));
    CHECK(end(room, 1100, 10, 1) == Approx(1110));
}

TEST_CASE("time in which nothing is asked for takes up what is late") {
    MemoryRoom room;
    CHECK(end(room, 0, 100, 1) == Approx(100));
    CHECK(end(room, 200, 100, 1) == Approx(300));
    CHECK(end(room, 0, 50, 1) == Approx(100));
    CHECK(end(room, 280, 10, 1) == Approx(300));  // the second of them is where it was
    CHECK(end(room, 150, 10, 1) == Approx(160));
}

TEST_CASE("a kernel that other units hold up asks for less") {
    MemoryRoom room;
    CHECK(end(room, 0, 100, 0.5) == Approx(100));
    CHECK(end(room, 0, 50, 1, 0.5) == Approx(100));
    const MemoryRoom::Progress held = room.run(0, 30, 100, 0, dram(1));
    CHECK(held.time == 30);
    CHECK(held.done == 0);
}

TEST_CASE("a kernel goes on until the time that is given") {
    MemoryRoom room;
    CHECK(end(room, 0, 100, 1) == Approx(100));
    const MemoryRoom::Progress part = room.run(20, 40, 100, 1, dram(1));
    CHECK(part.time == Approx(40));
    CHECK(part.done == Approx(10));
    CHECK(room.run(0, 30, 100, 1, dram(0)).done == Approx(30));
}

TEST_CASE("memory does no more than it can, and no kernel is quicker than alone") {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> lengths(12);
        for (double& length : lengths) length = static_cast<double>(1 + random() % 1000);
        // All go on at the same share of their pace, so the longest ends last.
        std::sort(lengths.begin(), lengths.end());
        MemoryRoom room;
        double work = 0;
        double all = 0;
        double last = 0;
        for (const double length : lengths) {
            const double share = static_cast<double>(1 + random() % 100) / 100;
            last = end(room, 0, length, share);
            REQUIRE(last >= length - 1e-3);
            work += share * length;
            all += length;
        }
        REQUIRE(last >= work - 1e-3);
        REQUIRE(last <= all + 1e-3);
    }
}

TEST_CASE("time that is too short to count passes, and nothing is done in it") {
    MemoryRoom room;
    const MemoryRoom::Progress none = room.run(100, 100 + 1e-9, 50, 1, dram(0.5));
    CHECK(none.time == 100 + 1e-9);
    CHECK(none.done == 0);
    CHECK(room.run(100, 300.3 - 1e-9, 1000, 1, dram(0.5)).time == 300.3 - 1e-9);
}

TEST_CASE("a pass in many steps is one in a single step") {
    MemoryRoom one;
    MemoryRoom many;
    for (MemoryRoom* room : {&one, &many}) {
        CHECK(end(*room, 0, 300, 0.7) == Approx(300));
        CHECK(end(*room, 500, 200, 0.9) == Approx(700));
    }
    const double ended = end(one, 50, 600, 0.8);
    double time = 50;
    double left = 600;
    {
        MemoryRoom::Pass pass(many);
        while (left > 1e-6) {
            const MemoryRoom::Progress step = pass.run(time, time + 7.3, left, 1, dram(0.8));
            time = step.time;
            left -= step.done;
        }
    }
    CHECK(time == Approx(ended));
    CHECK(end(many, 0, 900, 1) == Approx(end(one, 0, 900, 1)));
}

TEST_CASE("what is over is forgotten") {
    MemoryRoom room;
    CHECK(end(room, 0, 100, 1) == Approx(100));
    room.forget_before(100);
    CHECK(end(room, 100, 100, 1) == Approx(200));
    CHECK(end(room, 50, 10, 0.1) == Approx(60));  // no such kernel is put; it ends all the same
}
