#include "core/home_queues.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <vector>

using namespace sassafras;

TEST_CASE("a worker takes its own items in order, then others'; each is given once") {
    HomeQueues queues(3);
    queues.clear();
    for (std::uint32_t item = 0; item < 7; ++item) queues.add(HomeQueues::home_of(item, 7, 3), item);
    std::vector<std::uint32_t> taken;
    while (const auto item = queues.take(1)) taken.push_back(*item);
    CHECK(taken == std::vector<std::uint32_t>{3, 4, 5, 6, 0, 1, 2});  // homes: 0 to 2, 3 and 4, 5 and 6
    CHECK_FALSE(queues.take(0));
    queues.clear();
    queues.add(2, 9);
    CHECK(queues.take(0) == 9U);
    CHECK_FALSE(queues.take(2));
}

TEST_CASE("homes are in order and have about as many each") {
    std::vector<std::uint32_t> of(16);
    std::uint32_t before = 0;
    for (std::uint32_t number = 0; number < 132; ++number) {
        const std::uint32_t home = HomeQueues::home_of(number, 132, 16);
        REQUIRE(home >= before);
        REQUIRE(home < 16);
        before = home;
        ++of[home];
    }
    for (const std::uint32_t items : of) CHECK((items == 8 || items == 9));
}

TEST_CASE("every item runs once with any number of threads", "[threads]") {
    for (const std::uint32_t threads : {1U, 2U, 5U}) {
        WorkerPool pool(threads);
        HomeQueues queues(pool.size());
        for (const std::uint32_t count : {0U, 1U, 4U, 333U}) {
            std::vector<std::atomic<std::uint32_t>> runs(count);
            queues.run(pool, count, [&](std::uint32_t item, std::uint32_t worker) {
                if (worker < pool.size()) ++runs[item];
            });
            for (const auto& times : runs) CHECK(times == 1);
        }
    }
}
