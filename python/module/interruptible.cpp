#include "python/module/interruptible.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include <pybind11/pybind11.h>

#include "core/interrupted.hpp"

namespace sassafras::python {

namespace {

namespace py = pybind11;

constexpr std::chrono::milliseconds between_looks{50};

/// The work's thread and what became of it.
class Worker {
  public:
    explicit Worker(const std::function<void(const Poll&)>& work)
        : thread_([this, &work] {
              try {
                  work([this] {
                      if (wanted_to_end_.load(std::memory_order_relaxed)) throw Interrupted();
                  });
              } catch (...) {
                  thrown_ = std::current_exception();
              }
              const std::lock_guard lock(mutex_);
              done_ = true;
              changed_.notify_one();
          }) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() { thread_.join(); }

    /// False if it still works after a moment.
    [[nodiscard]] bool is_done_soon() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, between_looks, [this] { return done_; });
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return done_; });
    }
    void end() { wanted_to_end_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] std::exception_ptr thrown() const { return thrown_; }

  private:
    std::atomic<bool> wanted_to_end_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::exception_ptr thrown_;
    std::thread thread_;  ///< last: it begins when the others are there
};

}  // namespace

void run_interruptibly(const std::function<void(const Poll&)>& work) {
    std::exception_ptr thrown;
    std::optional<py::error_already_set> signal;
    {
        const py::gil_scoped_release released;
        Worker worker(work);
        while (!signal && !worker.is_done_soon()) {
            const py::gil_scoped_acquire acquired;
            if (PyErr_CheckSignals() != 0) signal.emplace();
        }
        if (signal) worker.end();
        worker.wait();
        thrown = worker.thrown();
    }
    if (signal) throw std::move(*signal);
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace sassafras::python
