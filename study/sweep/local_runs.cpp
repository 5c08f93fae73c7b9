#include "study/sweep/local_runs.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "study/sweep/child_process.hpp"
#include "study/sweep/machine_memory.hpp"
#include "study/sweep/run_guard.hpp"
#include "study/sweep/run_times.hpp"
#include "study/sweep/stored_record.hpp"
#include "study/sweep/working_folder.hpp"

namespace sassafras::study::sweep {

namespace {

constexpr int most_attempts = 3;
constexpr std::uint64_t spare_bytes = std::uint64_t{128} << 20U;  // for all else on this machine

class LocalRuns {
  public:
    LocalRuns(std::span<const Task> tasks, const RunStore& store, const LocalOptions& options, WorkingFolder folder)
        : tasks_(tasks), store_(store), options_(options), folder_(std::move(folder)), times_(store.folder()) {
        for (std::size_t i = 0; i < tasks.size(); ++i) waiting_.push_back({i, 1, std::nullopt});
    }
    LocalRuns(const LocalRuns&) = delete;
    LocalRuns& operator=(const LocalRuns&) = delete;
    ~LocalRuns() {
        for (const auto& [id, running] : running_) {
            kill(-id, SIGKILL);  // what it has started, too
            waitpid(id, nullptr, 0);
        }
    }

    Result<LocalOutcome> run() {
        while (!waiting_.empty() || !running_.empty() || !elsewhere_.empty()) {
            if (auto started = start_some(); !started) return started.error();
            for (Ended& ended : await_some()) {
                // Others go on while a result is kept.
                if (auto started = start_some(); !started) return started.error();
                RunEnd end = ended.run.child.end(ended.status, ended.peak_bytes);
                if (ended.run.is_too_long) end.limit_seconds = options_.timeout_seconds;
                if (auto kept = keep(std::move(ended.run.what), end); !kept) return kept.error();
            }
            if (waiting_.empty()) waiting_.swap(elsewhere_);
        }
        return outcome_;
    }

  private:
    struct Waiting {
        std::size_t task = 0;
        int attempt = 1;
        std::optional<HeldFile> claim;  ///< from its first attempt on
    };
    struct Running {
        Waiting what;
        ChildProcess child;
        bool is_too_long = false;
    };
    struct Ended {
        Running run;
        int status = 0;
        std::uint64_t peak_bytes = 0;
    };

    [[nodiscard]] std::uint32_t places() const {
        constexpr double short_seconds = 0.5;
        return options_.jobs + (options_.fills_gaps && last_seconds_ < short_seconds ? 1 : 0);
    }

    /// Those that run may still grow to what the largest took.
    [[nodiscard]] bool has_room() const {
        if (running_.empty()) return true;
        return largest_ == 0 || available_memory() / (largest_ + spare_bytes) > 0;
    }

    Result<void> start_some() {
        while (!waiting_.empty() && running_.size() < places() && has_room())
            if (auto started = start(); !started) return started;
        return {};
    }

    Result<void> start() {
        Waiting next = std::move(waiting_.front());
        waiting_.pop_front();
        const Task& task = tasks_[next.task];
        if (!next.claim) {
            auto claim = folder_.claim(task.key);
            if (!claim) return claim.error();
            if (!*claim) {
                elsewhere_.push_back(std::move(next));
                return {};
            }
            next.claim = std::move(*claim);
            if (const auto made = made_meanwhile(task)) {
                ++(*made == RunStore::State::done ? outcome_.done : outcome_.failed);
                report();
                return {};
            }
        }
        if (has_changed(task)) return {};
        auto child = ChildProcess::start(options_.program, task.run->command, options_.directory);
        if (!child) return child.error();
        const pid_t id = child->id();
        guard_.watch(id);
        running_.emplace(id, Running{std::move(next), std::move(*child)});
        return {};
    }

    /// By another process, since it was found to have no result. What is damaged, or is the failure that is to be made
    /// again, is none.
    [[nodiscard]] std::optional<RunStore::State> made_meanwhile(const Task& task) const {
        const auto state = store_.state_of(task.key);
        if (state == RunStore::State::missing || !is_intact(store_, task.key, state)) return std::nullopt;
        if (state == RunStore::State::failed && task.failed && store_.written(task.key, state) == *task.failed)
            return std::nullopt;
        return state;
    }

    /// Only for those started here: a program that has this as a library may have others, which it waits for.
    std::vector<Ended> await_some() {
        constexpr int milliseconds = 200;
        std::vector<pollfd> ends;
        for (const auto& [id, running] : running_) running.child.add_to(ends);
        std::vector<Ended> ended;
        const int ready = poll(ends.data(), ends.size(), milliseconds);
        end_too_long();
        if (ready <= 0) {
            report();
            return ended;
        }
        for (auto place = running_.begin(); place != running_.end();) {
            int status = 0;
            rusage used{};
            place->second.child.read();
            end_left(place->first);
            if (wait4(place->first, &status, WNOHANG, &used) != place->first) {
                ++place;
                continue;
            }
            guard_.forget(place->first);
            const auto peak = static_cast<std::uint64_t>(used.ru_maxrss) << 10U;
            largest_ = std::max(largest_, peak);
            ended.push_back({std::move(place->second), status, peak});
            place = running_.erase(place);
        }
        return ended;
    }

    void end_too_long() {
        if (options_.timeout_seconds == 0) return;
        for (auto& [id, running] : running_) {
            if (running.is_too_long || running.child.seconds() < options_.timeout_seconds) continue;
            running.is_too_long = true;
            kill(-id, SIGKILL);
        }
    }

    /// What the program of a run that has ended left in the background. Its number is nobody else's until it is waited
    /// for.
    static void end_left(pid_t id) {
        siginfo_t ended{};
        if (waitid(P_PID, static_cast<id_t>(id), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == id)
            kill(-id, SIGKILL);
    }

    void report() const {
        if (options_.progress) options_.progress(outcome_.done + outcome_.failed + outcome_.unmade, outcome_.failed);
    }

    /// Then its key is of another input than it read, or would read; it counts as not made.
    bool has_changed(const Task& task) {
        auto changed = task.inputs != nullptr ? changed_since(*task.inputs) : std::nullopt;
        if (!changed) return false;
        ++outcome_.unmade;
        outcome_.changed_input = std::move(*changed);
        report();
        return true;
    }

    Result<void> keep(Waiting what, const RunEnd& end) {
        last_seconds_ = end.seconds;
        if (what.attempt < most_attempts && was_killed(end)) {
            ++what.attempt;
            waiting_.push_back(std::move(what));
            return {};
        }
        const Task& task = tasks_[what.task];
        if (has_changed(task)) return {};
        const bool done = succeeded(end);
        // Where nothing can be locked another process may have made it.
        if (!done && store_.state_of(task.key) == RunStore::State::done && made_meanwhile(task)) {
            ++outcome_.done;
            report();
            return {};
        }
        const auto state = done ? RunStore::State::done : RunStore::State::failed;
        if (auto written =
                store_.write(task.key, state, record_text(*task.run, task.key, options_.version, end), folder_.path());
            !written)
            return written;
        times_.add({task.key, end.seconds, end.peak_bytes});
        ++(done ? outcome_.done : outcome_.failed);
        report();
        return {};
    }

    std::span<const Task> tasks_;
    const RunStore& store_;
    const LocalOptions& options_;
    WorkingFolder folder_;
    RunTimes times_;
    RunGuard guard_;
    std::deque<Waiting> waiting_;
    std::deque<Waiting> elsewhere_;  ///< another process makes them: asked again a few times a second
    std::map<pid_t, Running> running_;
    std::uint64_t largest_ = 0;  ///< bytes, of a run that has ended
    double last_seconds_ = 1;    ///< that a run took
    LocalOutcome outcome_;
};

}  // namespace

Result<LocalOutcome> run_here(std::span<const Task> tasks, const RunStore& store, const LocalOptions& options) {
    if (tasks.empty()) {
        WorkingFolder::remove_left(store.folder());
        return LocalOutcome();
    }
    auto folder = WorkingFolder::make(store.folder());
    if (!folder) return folder.error();
    auto outcome = LocalRuns(tasks, store, options, std::move(*folder)).run();
    WorkingFolder::remove_left(store.folder());  // of processes that were killed meanwhile
    return outcome;
}

}  // namespace sassafras::study::sweep
