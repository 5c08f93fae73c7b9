// When engines are busy, and where new work finds its place.
#include <catch2/catch.hpp>

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
    CHECK(time.place(0, {Engine::kernels, 601}) == 1701);  // one more than there is room for
    CHECK(time.place(300, {Engine::kernels, 600}) == 1000);
    CHECK(time.place(0, {Engine::kernels, 1}) == 1702);  // nothing is free before
    CHECK(time.place(2000, {Engine::kernels, 10}) == 2010);
    CHECK(time.place(1650, {Engine::kernels, 298}) == 2000);
    CHECK(time.place(0, {Engine::kernels, 5}) == 2015);
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

TEST_CASE("kernels that fit go on beside each other") {
    Timeline time;
    CHECK(time.place(0, {Engine::kernels, 100, 0.25}) == 100);
    CHECK(time.place(10, {Engine::kernels, 100, 0.5}) == 110);
    CHECK(time.place(0, {Engine::kernels, 50, 0.25}) == 50);
    CHECK(time.place(20, {Engine::kernels, 100, 0.25}) == 150);  // room from 50 on
    CHECK(time.place(0, {Engine::kernels, 10, 1}) == 160);       // alone only
    CHECK(time.place(60, {Engine::kernels, 20, 0.5}) == 130);    // from 110 on
    CHECK(time.place(0, {Engine::kernels, 1000, 0.01}) == 1160);
}

TEST_CASE("shares that are put and room that is found agree with a list of all work") {
    struct Put {
        double begin, end, share;
    };
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        Timeline time;
        std::vector<Put> all;
        const auto fits = [&](double begin, double length, double share) {
            for (double at = begin; at < begin + length; ++at) {
                double taken = share;
                for (const Put& put : all) taken += put.begin <= at && at < put.end ? put.share : 0;
                if (taken > 1) return false;
            }
            return true;
        };
        for (int i = 0; i < 40; ++i) {
            const double earliest = static_cast<double>(random() % 100);
            const double length = static_cast<double>(1 + random() % 20);
            const double share = static_cast<double>(1 + random() % 8) / 8;
            double begin = earliest;
            while (!fits(begin, length, share)) ++begin;
            REQUIRE(time.place(earliest, {Engine::kernels, length, share}) == begin + length);
            all.push_back({begin, begin + length, share});
        }
    }
}

TEST_CASE("of very many gaps the earliest are given up") {
    Timeline time;
    for (int i = 0; i < 5000; ++i) CHECK(time.place(10.0 * i, {Engine::kernels, 5}) == 10.0 * i + 5);
    CHECK(time.place(0, {Engine::kernels, 5}) == 10.0 * (5000 - 4096) + 10);
    CHECK(time.place(49'980, {Engine::kernels, 5}) == 49'990);
}
