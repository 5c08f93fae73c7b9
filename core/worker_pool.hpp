// A few threads that share out the items of one round after another. Nobody waits for a thread that the machine does
// not run: a round ends when its items are done, and a thread that comes late finds none left.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace sassafras {

/// Rounds are short (microseconds), so waiting threads spin for a while before they yield.
class WorkerPool {
  public:
    static constexpr std::uint32_t most_items = (1U << 20U) - 1;

    /// Fewer than asked for where the process may not have them all (ulimit): results do not depend on how many.
    explicit WorkerPool(std::uint32_t threads) {
        workers_.reserve(threads == 0 ? 0 : threads - 1);
        try {
            for (std::uint32_t number = 1; number < threads; ++number)
                workers_.emplace_back([this, number] { serve(number); });
        } catch (const std::system_error&) {
        } catch (const std::bad_alloc&) {}
    }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    ~WorkerPool() {
        stop_.store(true, std::memory_order_release);
        for (std::thread& worker : workers_) worker.join();
    }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(workers_.size()) + 1; }

    /// Runs item(i) once for each i < count (at most `most_items`), taken up in ascending order by any thread, and
    /// returns when all are done. `first` runs on the caller's thread before that takes up items; items may wait for
    /// what it does, so it must not throw before they can go on. What an item throws is thrown here then (of several,
    /// the lowest item's), what `first` throws before that.
    void run(std::uint32_t count, const std::function<void(std::uint32_t)>& item, const std::function<void()>& first) {
        run_by_worker(
            count, [&](std::uint32_t i, std::uint32_t) { item(i); }, first);
    }

    /// The same; item(i, worker) learns which of the size() threads it is on.
    void run_by_worker(std::uint32_t count, const std::function<void(std::uint32_t, std::uint32_t)>& item,
                       const std::function<void()>& first) {
        require_invariant(count <= most_items, "too many items in a round");
        if (workers_.empty()) {
            first();
            for (std::uint32_t i = 0; i < count; ++i) item(i, 0);
            return;
        }
        item_ = &item;
        done_.store(0, std::memory_order_relaxed);
        round_ = (round_ + 1) & round_mask;
        claims_.store(round_ << 40U | std::uint64_t{count} << 20U, std::memory_order_release);
        std::exception_ptr thrown_first;
        try {
            first();
        } catch (...) {
            thrown_first = std::current_exception();
        }
        take_items(0);
        wait([&] { return done_.load(std::memory_order_acquire) == count; });
        const std::exception_ptr thrown = std::exchange(thrown_, nullptr);
        if (thrown_first) std::rethrow_exception(thrown_first);
        if (thrown) std::rethrow_exception(thrown);
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
    static constexpr std::uint64_t round_mask = (1U << 24U) - 1;

    static std::uint64_t round_of(std::uint64_t claim) { return claim >> 40U; }

    /// Takes items until none is left; returns the round in which that was so.
    std::uint64_t take_items(std::uint32_t worker) {
        for (;;) {
            const std::uint64_t claim = claims_.fetch_add(1, std::memory_order_acq_rel);
            const auto index = static_cast<std::uint32_t>(claim & most_items);
            const auto count = static_cast<std::uint32_t>(claim >> 20U & most_items);
            if (index >= count) return round_of(claim);
            // The round cannot end, nor the next begin, before this item is done.
            try {
                (*item_)(index, worker);
            } catch (...) {
                const std::lock_guard lock(thrown_mutex_);
                if (!thrown_ || index < thrown_index_) {
                    thrown_ = std::current_exception();
                    thrown_index_ = index;
                }
            }
            done_.fetch_add(1, std::memory_order_release);
        }
    }

    void serve(std::uint32_t worker) {
        std::uint64_t seen = 0;
        for (;;) {
            wait([&] {
                return round_of(claims_.load(std::memory_order_acquire)) != seen ||
                       stop_.load(std::memory_order_acquire);
            });
            if (stop_.load(std::memory_order_acquire)) return;
            seen = take_items(worker);
        }
    }

    std::vector<std::thread> workers_;
    const std::function<void(std::uint32_t, std::uint32_t)>* item_ = nullptr;
    std::uint64_t round_ = 0;
    alignas(64) std::atomic<std::uint64_t> claims_{0};  ///< round (24 bits), number of items (20), next item (20)
    alignas(64) std::atomic<std::uint32_t> done_{0};
    std::atomic<bool> stop_{false};
    std::mutex thrown_mutex_;
    std::exception_ptr thrown_;
    std::uint32_t thrown_index_ = 0;
};

}  // namespace sassafras
