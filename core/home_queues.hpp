// The items of one phase of a round, each with a worker at home: what it works on lies in that core's caches since the
// round before. A worker that has none left takes others', so that all end at about the same time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/worker_pool.hpp"

namespace sassafras {

class HomeQueues {
  public:
    explicit HomeQueues(std::uint32_t workers) : workers_(workers), queues_(std::make_unique<Queue[]>(workers)) {}

    /// Of `count` things in a row, the worker of one: neighbours have the same, and all have about as many.
    [[nodiscard]] static std::uint32_t home_of(std::size_t number, std::size_t count, std::uint32_t workers) {
        return static_cast<std::uint32_t>(number * workers / count);
    }

    /// Before a round, on one thread.
    void clear() {
        for (std::uint32_t worker = 0; worker < workers_; ++worker) {
            queues_[worker].items.clear();
            queues_[worker].next.store(0, std::memory_order_relaxed);
        }
    }
    void add(std::uint32_t home, std::uint32_t item) { queues_[home].items.push_back(item); }

    /// The next item for a worker: its own, in the order in which they were added, then others'. Each item is given
    /// once. None: all of them are taken.
    [[nodiscard]] std::optional<std::uint32_t> take(std::uint32_t worker) {
        for (std::uint32_t i = 0; i < workers_; ++i) {
            const std::uint32_t of = worker + i < workers_ ? worker + i : worker + i - workers_;
            Queue& queue = queues_[of];
            if (queue.next.load(std::memory_order_relaxed) >= queue.items.size()) continue;
            const std::uint32_t at = queue.next.fetch_add(1, std::memory_order_relaxed);
            if (at < queue.items.size()) return queue.items[at];
        }
        return std::nullopt;
    }

    /// Runs item(i, worker) once for each i < count, at its home as home_of() has it, or where there is time.
    template <class Item>
    void run(WorkerPool& pool, std::uint32_t count, const Item& item) {
        if (pool.size() == 1) {
            for (std::uint32_t i = 0; i < count; ++i) item(i, 0U);
            return;
        }
        clear();
        for (std::uint32_t i = 0; i < count; ++i) add(home_of(i, count, workers_), i);
        pool.run_by_worker(
            pool.size(),
            [&](std::uint32_t, std::uint32_t worker) {
                while (const auto next = take(worker)) item(*next, worker);
            },
            [] {});
    }

  private:
    struct alignas(64) Queue {
        std::atomic<std::uint32_t> next{0};
        std::vector<std::uint32_t> items;
    };

    std::uint32_t workers_;
    std::unique_ptr<Queue[]> queues_;
};

}  // namespace sassafras
