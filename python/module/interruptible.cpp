#include "python/module/interruptible.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "core/interrupted.hpp"

namespace sassafras::python {

namespace {

namespace py = pybind11;

constexpr std::chrono::milliseconds between_looks{50};
constexpr std::chrono::milliseconds moment{700};

/// Work and what became of it. Its thread and whoever waits share it.
struct Job {
    explicit Job(std::function<void(const Poll&)> what) : work(std::move(what)) {}

    void run() {
        try {
            work([this] {
                if (wanted_to_end.load(std::memory_order_relaxed)) throw Interrupted();
            });
        } catch (...) {
            thrown = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        done = true;
        changed.notify_all();
    }
    [[nodiscard]] bool is_done_within(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, time, [this] { return done; });
    }
    [[nodiscard]] bool is_done() {
        const std::lock_guard lock(mutex);
        return done;
    }

    std::function<void(const Poll&)> work;
    std::atomic<bool> wanted_to_end{false};
    std::exception_ptr thrown;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
};

/// Threads that nobody waited for.
struct LeftWork {
    std::mutex mutex;
    std::vector<std::pair<std::shared_ptr<Job>, std::thread>> threads;

    void add(std::shared_ptr<Job> job, std::thread thread) {
        const std::lock_guard lock(mutex);
        join_if([](Job& other) { return other.is_done(); });
        threads.emplace_back(std::move(job), std::move(thread));
    }
    template <class Condition>
    void join_if(const Condition& condition) {
        std::erase_if(threads, [&](auto& left) {
            if (!condition(*left.first)) return false;
            left.second.join();
            return true;
        });
    }
};

LeftWork& left_work() {
    static LeftWork left;
    return left;
}

}  // namespace

void run_interruptibly(std::function<void(const Poll&)> work, Impatience impatience) {
    const auto job = std::make_shared<Job>(std::move(work));
    std::optional<py::error_already_set> signal;
    {
        const py::gil_scoped_release released;
        std::thread thread([job] { job->run(); });
        while (!signal && !job->is_done_within(between_looks)) {
            const py::gil_scoped_acquire acquired;
            if (PyErr_CheckSignals() != 0) signal.emplace();
        }
        if (signal) job->wanted_to_end.store(true, std::memory_order_relaxed);
        if (signal && impatience == Impatience::leaves && !job->is_done_within(moment))
            left_work().add(job, std::move(thread));
        else
            thread.join();
    }
    if (signal) throw std::move(*signal);
    if (job->thrown) std::rethrow_exception(job->thrown);
}

void wait_for_left_work() {
    const py::gil_scoped_release released;
    LeftWork& left = left_work();
    const std::lock_guard lock(left.mutex);
    left.join_if([](Job&) { return true; });
}

}  // namespace sassafras::python
