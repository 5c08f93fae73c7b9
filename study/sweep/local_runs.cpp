#include "study/sweep/local_runs.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "study/sweep/child_process.hpp"
#include "study/sweep/machine_memory.hpp"
#include "study/sweep/process_name.hpp"
#include "study/sweep/run_times.hpp"

namespace sassafras::study::sweep {

namespace {

namespace fs = std::filesystem;

constexpr int most_attempts = 3;
constexpr std::uint64_t spare_bytes = std::uint64_t{128} << 20U;  // for all else on this machine

/// Where the processes of this one write until they have ended. What killed ones of this machine left is removed.
class WorkingFolder {
  public:
    explicit WorkingFolder(const fs::path& store) {
        const fs::path all = store / "working";
        const std::string host = host_name() + "-";
        std::error_code ignored;
        for (const auto& left : fs::directory_iterator(all, ignored)) {
            const std::string name = left.path().filename().string();
            if (!name.starts_with(host)) continue;
            const pid_t owner = std::atoi(name.c_str() + host.size());
            if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) fs::remove_all(left.path(), ignored);
        }
        path_ = all / process_name();
        fs::create_directories(path_, ignored);
    }
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;
    ~WorkingFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

class LocalRuns {
  public:
    LocalRuns(std::span<const Task> tasks, const RunStore& store, const LocalOptions& options)
        : tasks_(tasks), store_(store), options_(options), folder_(store.folder()), times_(store.folder()) {
        for (std::size_t i = 0; i < tasks.size(); ++i) waiting_.push_back({i, 1});
    }
    LocalRuns(const LocalRuns&) = delete;
    LocalRuns& operator=(const LocalRuns&) = delete;
    ~LocalRuns() {
        for (const auto& [id, running] : running_) {
            kill(id, SIGKILL);
            waitpid(id, nullptr, 0);
        }
    }

    Result<LocalOutcome> run() {
        while (!waiting_.empty() || !running_.empty()) {
            if (auto started = start_some(); !started) return started.error();
            for (const Ended& ended : await_some()) {
                // Others go on while a result is kept.
                if (auto started = start_some(); !started) return started.error();
                const RunEnd end = ended.run.child.end(ended.status, ended.peak_bytes);
                if (auto kept = keep(ended.run.what, end); !kept) return kept.error();
            }
        }
        return outcome_;
    }

  private:
    struct Waiting {
        std::size_t task = 0;
        int attempt = 1;
    };
    struct Running {
        Waiting what;
        ChildProcess child;
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
        const Waiting next = waiting_.front();
        const Task& task = tasks_[next.task];
        if (has_changed(task)) {
            waiting_.pop_front();
            return {};
        }
        auto child = ChildProcess::start(options_.program, task.run->command, folder_.path(), task.key);
        if (!child) return child.error();
        waiting_.pop_front();
        const pid_t id = child->id();
        running_.emplace(id, Running{next, std::move(*child)});
        return {};
    }

    /// Only for those started here: a program that has this as a library may have others, which it waits for.
    std::vector<Ended> await_some() {
        constexpr int milliseconds = 200;
        std::vector<pollfd> ends;
        for (const auto& [id, running] : running_) ends.push_back({running.child.descriptor(), POLLIN, 0});
        std::vector<Ended> ended;
        if (poll(ends.data(), ends.size(), milliseconds) <= 0) {
            report();
            return ended;
        }
        for (auto place = running_.begin(); place != running_.end();) {
            int status = 0;
            rusage used{};
            if (wait4(place->first, &status, WNOHANG, &used) != place->first) {
                ++place;
                continue;
            }
            const auto peak = static_cast<std::uint64_t>(used.ru_maxrss) << 10U;
            largest_ = std::max(largest_, peak);
            ended.push_back({std::move(place->second), status, peak});
            place = running_.erase(place);
        }
        return ended;
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
        if (end.signal != 0 && what.attempt < most_attempts) {
            waiting_.push_back({what.task, what.attempt + 1});
            return {};
        }
        const Task& task = tasks_[what.task];
        if (has_changed(task)) return {};
        const bool done = succeeded(end);
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
    std::deque<Waiting> waiting_;
    std::map<pid_t, Running> running_;
    std::uint64_t largest_ = 0;  ///< bytes, of a run that has ended
    double last_seconds_ = 1;    ///< that a run took
    LocalOutcome outcome_;
};

}  // namespace

Result<LocalOutcome> run_here(std::span<const Task> tasks, const RunStore& store, const LocalOptions& options) {
    return LocalRuns(tasks, store, options).run();
}

}  // namespace sassafras::study::sweep
