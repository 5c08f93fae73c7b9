#include "python/module/interruptible.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <pybind11/pybind11.h>

#include "core/interrupted.hpp"
#include "python/module/released_interpreter.hpp"
#include "python/module/running_work.hpp"

namespace sassafras::python {

namespace {

namespace py = pybind11;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{50};
constexpr std::chrono::milliseconds moment{700};

/// What a handler of a signal raised, if one did.
class Signals {
  public:
    void look(ReleasedInterpreter& interpreter) {
        interpreter.with_lock([this] {
            if (PyErr_CheckSignals() != 0) raised_.emplace();
        });
    }
    [[nodiscard]] bool have_come() const { return raised_.has_value(); }
    /// With the interpreter's lock.
    void raise_if_come() {
        if (raised_) throw std::move(*raised_);
    }

  private:
    std::optional<py::error_already_set> raised_;
};

/// Work and what became of it. Its thread and whoever waits share it.
struct Job {
    explicit Job(std::function<void(const Poll&)> what) : work(std::move(what)) {}

    void run() {
        try {
            work([this] {
                if (running.is_wanted_to_end()) throw Interrupted();
            });
        } catch (...) {
            thrown = std::current_exception();
        }
        {
            const std::lock_guard lock(mutex);
            done = true;
            changed.notify_all();
        }
        running.has_ended();
    }
    [[nodiscard]] bool is_done_within(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, time, [this] { return done; });
    }

    std::function<void(const Poll&)> work;
    RunningWork running;
    std::exception_ptr thrown;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
};

/// Whoever called is a daemon, and the interpreter is gone.
void stop_if_interpreter_ended() {
    if (is_ended_by_another_thread()) wait_for_the_process_to_end();
}

}  // namespace

void run_on_a_thread(std::function<void(const Poll&)> work) {
    Signals signals;
    std::exception_ptr thrown;
    {
        ReleasedInterpreter interpreter;
        stop_if_interpreter_ended();
        const auto job = std::make_shared<Job>(std::move(work));
        std::thread thread([job] { job->run(); });
        while (!signals.have_come() && !job->is_done_within(between_looks)) signals.look(interpreter);
        if (signals.have_come()) job->running.end();
        if (signals.have_come() && !job->is_done_within(moment)) {
            thread.detach();
        } else {
            thread.join();
            thrown = job->thrown;
        }
        stop_if_interpreter_ended();
    }
    signals.raise_if_come();
    if (thrown) std::rethrow_exception(thrown);
}

void run_here(const std::function<void(const Poll&)>& work) {
    Signals signals;
    std::exception_ptr thrown;
    {
        ReleasedInterpreter interpreter;
        stop_if_interpreter_ended();
        RunningWork running;
        auto last_look = Clock::now();
        try {
            work([&] {
                if (running.is_wanted_to_end()) throw Interrupted();
                if (Clock::now() - last_look < between_looks) return;
                signals.look(interpreter);
                if (signals.have_come()) throw Interrupted();
                last_look = Clock::now();
            });
        } catch (...) {
            thrown = std::current_exception();
        }
        running.has_ended();
        stop_if_interpreter_ended();
    }
    signals.raise_if_come();
    if (thrown) std::rethrow_exception(thrown);
}

void end_work_with_interpreter() {
    const ReleasedInterpreter interpreter;
    end_running_work();
}

}  // namespace sassafras::python
