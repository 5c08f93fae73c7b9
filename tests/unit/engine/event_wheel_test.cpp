// The event wheel against what it promises: order of time, then order of insertion, for near and far events alike.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "sim/engine/event_wheel.hpp"

using namespace sassafras;
using sassafras::sim::EventWheel;

namespace {

struct Fired {
    std::uint64_t time = 0;
    int event = 0;
    bool operator==(const Fired&) const = default;
};

std::vector<Fired> drain_all(EventWheel<int>& wheel) {
    std::vector<Fired> fired;
    while (!wheel.empty()) {
        const std::uint64_t time = wheel.next_time();
        wheel.drain(time, [&](int event) { fired.push_back({time, event}); });
    }
    return fired;
}

}  // namespace

TEST_CASE("a new wheel is empty and has no next time") {
    EventWheel<int> wheel;
    CHECK(wheel.empty());
    CHECK(wheel.next_time() == EventWheel<int>::never);
    int handled = 0;
    wheel.drain(0, [&](int) { ++handled; });
    wheel.drain(123456, [&](int) { ++handled; });
    CHECK(handled == 0);
}

TEST_CASE("events come in order of time, whatever the order of pushes") {
    EventWheel<int> wheel;
    for (const int time : {70, 3, 64, 63, 1023, 0, 500}) wheel.push(static_cast<std::uint64_t>(time), time);
    CHECK(wheel.next_time() == 0);
    const std::vector<Fired> expected{{0, 0}, {3, 3}, {63, 63}, {64, 64}, {70, 70}, {500, 500}, {1023, 1023}};
    CHECK(drain_all(wheel) == expected);
}

TEST_CASE("events of one cycle come in the order they were pushed") {
    EventWheel<int> wheel;
    for (int i = 0; i < 10; ++i) wheel.push(42, i);
    const auto fired = drain_all(wheel);
    REQUIRE(fired.size() == 10);
    for (int i = 0; i < 10; ++i) CHECK(fired[static_cast<std::size_t>(i)] == Fired{42, i});
}

TEST_CASE("far events keep their time and their place among those of the same cycle") {
    EventWheel<int> wheel;
    constexpr std::uint64_t far = 5000;
    wheel.push(far, 1);
    wheel.push(far, 2);
    wheel.push(100000, 9);
    wheel.push(far - 100, 0);
    CHECK(wheel.next_time() == far - 100);
    // Once the cycle has come near, more may be pushed for it; what was pushed long ago still comes first.
    std::vector<int> order;
    wheel.drain(far - 100, [&](int event) {
        order.push_back(event);
        wheel.push(far, 3);
    });
    wheel.drain(far, [&](int event) { order.push_back(event); });
    CHECK(order == std::vector<int>{0, 1, 2, 3});
    CHECK(drain_all(wheel) == std::vector<Fired>{{100000, 9}});
}

TEST_CASE("an event pushed while its own cycle is handled is handled in that cycle") {
    EventWheel<int> wheel;
    wheel.push(7, 0);
    std::vector<int> order;
    wheel.drain(7, [&](int event) {
        order.push_back(event);
        if (event < 5) wheel.push(7, event + 1);
    });
    CHECK(order == std::vector<int>{0, 1, 2, 3, 4, 5});
    CHECK(wheel.empty());
}

TEST_CASE("an event in the past is a broken invariant; the present is allowed") {
    EventWheel<int> wheel;
    wheel.push(10, 1);
    wheel.drain(10, [](int) {});
    CHECK_THROWS_AS(wheel.push(9, 2), InvariantViolation);
    CHECK_NOTHROW(wheel.push(10, 3));
    CHECK(wheel.next_time() == 10);
}

TEST_CASE("random pushes and drains agree with a sorted list", "[property]") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        EventWheel<int> wheel;
        std::vector<Fired> model;  // in order of insertion
        std::vector<Fired> fired;
        std::vector<Fired> expected;
        std::uint64_t now = 0;
        int next = 0;
        const auto push = [&] {
            const std::uint64_t ahead = random.below(4) == 0 ? random.below(6000) : random.below(40);
            wheel.push(now + ahead, next);
            model.push_back({now + ahead, next++});
        };
        for (int step = 0; step < 400; ++step) {
            for (std::uint64_t n = random.below(4); n > 0; --n) push();
            const auto first = std::min_element(model.begin(), model.end(),
                                                [](const Fired& a, const Fired& b) { return a.time < b.time; });
            REQUIRE(wheel.next_time() == (first == model.end() ? EventWheel<int>::never : first->time));
            if (first == model.end()) continue;
            now = first->time;
            wheel.drain(now, [&](int event) { fired.push_back({now, event}); });
            for (const Fired& entry : model)
                if (entry.time == now) expected.push_back(entry);
            std::erase_if(model, [now](const Fired& entry) { return entry.time == now; });
            REQUIRE(wheel.empty() == model.empty());
        }
        CHECK(fired == expected);
        CHECK(fired.size() > 300);
    }
}
