// When engines are busy, and where new work finds its place.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include "cudart/timeline.hpp"

using namespace sassafras::cudart;

TEST_CASE("work on one engine goes one behind the other, on several beside each other") {
    Timeline time;
    CHECK(time.place(0, {Engine::kernels, 1000}) == 1000);
    CHECK(time.place(0, {Engine::kernels, 500}) == 1500);
    CHECK(time.place(0, {Engine::to_device, 200}) == 200);
    CHECK(time.place(0, {Engine::to_host, 300}) == 300);
    CHECK(time.place(100, {Engine::to_host, 300}) == 600);
}

TEST_CASE("commands wait for no engine") {
    Timeline time;
    CHECK(time.place(0, {Engine::kernels, 1000}) == 1000);
    CHECK(time.place(5, {Engine::commands, 10}) == 15);
    CHECK(time.place(5, {Engine::commands, 10}) == 15);
}

TEST_CASE("work that waits leaves its engine to others until then") {
    Timeline time;
    CHECK(time.place(1000, {Engine::kernels, 100}) == 1100);
    CHECK(time.place(0, {Engine::kernels, 400}) == 400);
    CHECK(time.place(0, {Engine::kernels, 601}) == 1101);  // goes on behind what was put before
    CHECK(time.begun() == 400);
    CHECK(time.place(0, {Engine::kernels, 1}) == 1102);  // nothing is free before
    CHECK(time.place(2000, {Engine::kernels, 10}) == 2010);
    CHECK(time.place(1650, {Engine::kernels, 298}) == 1948);
}

TEST_CASE("work without length has its place anywhere") {
    Timeline time;
    CHECK(time.place(0, {Engine::kernels, 1000}) == 1000);
    CHECK(time.place(10, {Engine::kernels, 0}) == 10);
}

TEST_CASE("what has passed is forgotten, what has not is kept") {
    Timeline time;
    CHECK(time.place(0, {Engine::kernels, 100}) == 100);
    CHECK(time.place(200, {Engine::kernels, 100}) == 300);
    CHECK(time.place(400, {Engine::kernels, 100}) == 500);
    time.forget_before(250);
    CHECK(time.place(250, {Engine::kernels, 100}) == 400);
    CHECK(time.place(250, {Engine::kernels, 100}) == 600);
}

TEST_CASE("copies find their gaps as well") {
    Timeline time;
    CHECK(time.place(1000, {Engine::to_host, 100}) == 1100);
    CHECK(time.place(0, {Engine::to_host, 400}) == 400);
    CHECK(time.place(0, {Engine::to_host, 601}) == 1701);
    CHECK(time.place(300, {Engine::to_host, 600}) == 1000);
    CHECK(time.place(0, {Engine::to_host, 1}) == 1702);
    CHECK(time.begun() == 1701);
    CHECK(time.place(0, {Engine::to_device, 1}) == 1);
}

TEST_CASE("copies that are put agree with a list of all of them") {
    struct Put {
        double begin, end;
    };
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        Timeline time;
        std::vector<Put> all;
        for (int i = 0; i < 40; ++i) {
            const double earliest = static_cast<double>(random() % 300);
            const double length = static_cast<double>(1 + random() % 20);
            double begin = earliest;
            const auto taken = [&](const Put& put) { return put.begin < begin + length && begin < put.end; };
            while (std::any_of(all.begin(), all.end(), taken)) ++begin;
            REQUIRE(time.place(earliest, {Engine::to_device, length}) == begin + length);
            all.push_back({begin, begin + length});
        }
    }
}

TEST_CASE("of very many gaps between copies the earliest are given up") {
    Timeline time;
    for (int i = 0; i < 5000; ++i) CHECK(time.place(10.0 * i, {Engine::to_device, 5}) == 10.0 * i + 5);
    CHECK(time.place(0, {Engine::to_device, 5}) == 10.0 * (5000 - 4096) + 10);
    CHECK(time.place(49'980, {Engine::to_device, 5}) == 49'990);
}
