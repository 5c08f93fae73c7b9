// A few threads that run the same function over and over, each with its number, and meet at the end of every round.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace sassafras::sim {

/// Rounds are short (microseconds), so waiting threads spin for a while before they yield.
class WorkerPool {
  public:
    explicit WorkerPool(std::uint32_t threads) : thrown_(threads) {
        for (std::uint32_t number = 1; number < threads; ++number)
            workers_.emplace_back([this, number] { work(number); });
    }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    ~WorkerPool() {
        stop_.store(true, std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
        for (std::thread& worker : workers_) worker.join();
    }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(workers_.size()) + 1; }

    /// Runs `task(number)` on every thread, the caller's included, and returns when all are done. What a task throws is
    /// thrown here then (of several, the one of the lowest thread); tasks that wait for one another must end when one
    /// of them fails.
    void run(const std::function<void(std::uint32_t)>& task) {
        if (workers_.empty()) {
            task(0);
            return;
        }
        task_ = &task;
        done_.store(0, std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
        attempt(0);
        wait([this] { return done_.load(std::memory_order_acquire) == workers_.size(); });
        for (std::exception_ptr& thrown : thrown_) {
            if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
        }
    }

    /// Spins, then yields, until `condition` holds.
    template <class Condition>
    static void wait(Condition&& condition) {
        for (int spin = 0; !condition(); ++spin) {
            if (spin > 2000) std::this_thread::yield();
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
    }

  private:
    void attempt(std::uint32_t number) {
        try {
            (*task_)(number);
        } catch (...) {
            thrown_[number] = std::current_exception();
        }
    }
    void work(std::uint32_t number) {
        std::uint64_t seen = 0;
        for (;;) {
            wait([this, seen] { return round_.load(std::memory_order_acquire) != seen; });
            ++seen;
            if (stop_.load(std::memory_order_relaxed)) return;
            attempt(number);
            done_.fetch_add(1, std::memory_order_release);
        }
    }

    std::vector<std::exception_ptr> thrown_;
    std::vector<std::thread> workers_;
    const std::function<void(std::uint32_t)>* task_ = nullptr;
    std::atomic<std::uint64_t> round_{0};
    std::atomic<std::uint64_t> done_{0};
    std::atomic<bool> stop_{false};
};

}  // namespace sassafras::sim
