// Every item of every round runs once, whatever the threads do.
#include <catch2/catch.hpp>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/worker_pool.hpp"

using namespace sassafras;

TEST_CASE("each item of each round runs exactly once", "[threads]") {
    const std::uint32_t threads = GENERATE(1U, 2U, 5U);
    WorkerPool pool(threads);
    CHECK(pool.size() == threads);
    for (std::uint32_t round = 0; round < 3000; ++round) {
        const std::uint32_t count = round * 7 % 41;
        std::vector<int> runs(count, 0);
        bool led = false;
        pool.run(
            count, [&](std::uint32_t i) { ++runs[i]; }, [&] { led = true; });
        REQUIRE(led);
        REQUIRE(runs == std::vector<int>(count, 1));
    }
}

TEST_CASE("items may wait for what the caller does first", "[threads]") {
    WorkerPool pool(3);
    for (int round = 0; round < 300; ++round) {
        std::atomic<std::uint32_t> ready{0};
        std::vector<std::uint32_t> seen(20, 0);
        pool.run(
            20,
            [&](std::uint32_t i) {
                WorkerPool::wait([&] { return ready.load(std::memory_order_acquire) > i; });
                seen[i] = ready.load(std::memory_order_acquire);
            },
            [&] {
                for (std::uint32_t i = 1; i <= 20; ++i) ready.store(i, std::memory_order_release);
            });
        for (std::uint32_t i = 0; i < 20; ++i) REQUIRE(seen[i] > i);
    }
}

TEST_CASE("what an item throws comes out of run, the lowest first, and the pool goes on", "[threads]") {
    const std::uint32_t threads = GENERATE(1U, 2U, 4U);
    WorkerPool pool(threads);
    for (int round = 0; round < 50; ++round) {
        CHECK_THROWS_WITH(pool.run(
                              16,
                              [](std::uint32_t i) {
                                  if (i == 5 || i == 11) throw std::runtime_error("item " + std::to_string(i));
                              },
                              [] {}),
                          "item 5");
        std::vector<int> runs(16, 0);
        pool.run(
            16, [&](std::uint32_t i) { ++runs[i]; }, [] {});
        CHECK(std::accumulate(runs.begin(), runs.end(), 0) == 16);
    }
    CHECK_THROWS_WITH(pool.run(
                          4, [](std::uint32_t) {}, [] { throw std::runtime_error("first"); }),
                      "first");
}
