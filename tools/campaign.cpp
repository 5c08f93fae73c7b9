// campaign: damages inputs by the hundred thousand and hands each to the command line, in processes of their own.
// Counts how they end, and names every one that crashes, ends with status 70 or another that is none of ours, or takes
// more time or memory than any small input may.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands/command_line.hpp"
#include "tools/campaign/inputs.hpp"

using namespace sassafras;
using namespace sassafras::campaign;

namespace {

namespace files = std::filesystem;

constexpr unsigned most_seconds = 20;
constexpr long most_kibibytes = 4L << 20U;
constexpr std::size_t inputs_a_process = 100;
constexpr int most_status = 3;  // 0 to 3: well, a wrong result, bad input, not modelled

struct Options {
    std::uint64_t count = 10'000;  ///< of each kind
    std::uint64_t seed = 1;
    unsigned jobs = 1;
    std::vector<std::string> kinds;
    std::optional<std::uint64_t> only;
    std::string report;
    std::string root = ".";
};

struct Outcome {
    std::size_t kind = 0;
    std::uint64_t number = 0;
    int status = 0;  ///< 128 and the signal's number for one that was killed
    double seconds = 0;
    long kibibytes = 0;  ///< most memory at a time

    [[nodiscard]] bool is_failure() const {
        return status > most_status || seconds > most_seconds || kibibytes > most_kibibytes;
    }
};

SplitMix64 random_of(const Kind& kind, std::uint64_t seed, std::uint64_t number) {
    std::uint64_t mixed = seed;
    for (const char c : kind.name) mixed = SplitMix64(mixed ^ static_cast<unsigned char>(c)).next();
    return SplitMix64(SplitMix64(mixed ^ number).next());
}

int run(Trial trial) {
    if (trial.function) return trial.function();
    trial.command.insert(trial.command.begin(), "sassafras");
    std::vector<char*> arguments;
    for (std::string& word : trial.command) arguments.push_back(word.data());
    return cli::run_command_line(static_cast<int>(arguments.size()), arguments.data());
}

/// Peak memory counts from here. Linux forgets the peak on this request; where it does not, peaks of a child only grow.
void forget_peak() {
    if (const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC); file >= 0) {
        [[maybe_unused]] const auto written = write(file, "5", 1);
        close(file);
    }
}

/// KiB.
long peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (long peak = 0; word == "VmHWM:" && status >> peak) return peak;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/// Of this process and all its threads.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Runs one input in this process.
Outcome try_one(const Kind& kind, std::uint64_t seed, std::uint64_t number, const std::string& folder, bool shown) {
    files::create_directory(folder);
    SplitMix64 random = random_of(kind, seed, number);
    Trial trial = kind.make(folder, random);
    if (shown) fmt::print("{}\n", fmt::join(trial.command, " "));
    std::fflush(nullptr);
    forget_peak();
    Outcome outcome;
    outcome.number = number;
    const double begin = cpu_seconds();
    // CPU time, as other programs may run; a little more than allowed, so that the time says which they are. An input
    // that only waits is caught later.
    const itimerval limit{{0, 0}, {most_seconds + 5, 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
    alarm(20 * most_seconds);
    outcome.status = run(std::move(trial));
    const itimerval none{};
    setitimer(ITIMER_PROF, &none, nullptr);
    alarm(0);
    outcome.seconds = cpu_seconds() - begin;
    outcome.kibibytes = peak_memory();
    if (!shown) files::remove_all(folder);
    return outcome;
}

/// A child that runs `numbers` one after the other, until one of them ends it: to start a process costs as much as a
/// dozen inputs. Appends an outcome for each that ran; one that did not come back has the status of the child.
void try_some(const Kind& kind, std::uint64_t seed, std::span<const std::uint64_t> numbers, const std::string& folder,
              bool shown, std::vector<Outcome>& outcomes) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("campaign: no pipe");
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        if (!shown) {
            const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
            dup2(nowhere, STDOUT_FILENO);
            dup2(nowhere, STDERR_FILENO);
        }
        for (const std::uint64_t number : numbers) {
            const Outcome outcome = try_one(kind, seed, number, folder, shown);
            if (write(ends[1], &outcome, sizeof outcome) != sizeof outcome) _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    const std::size_t before = outcomes.size();
    for (Outcome one; read(ends[0], &one, sizeof one) == sizeof one;) outcomes.push_back(one);
    close(ends[0]);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    const std::size_t done = outcomes.size() - before;
    if (done == numbers.size()) return;
    Outcome last;
    last.number = numbers[done];
    last.status = WIFEXITED(status) ? 128 + WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const timeval& used = usage.ru_utime;
    last.seconds = static_cast<double>(used.tv_sec) + 1e-6 * static_cast<double>(used.tv_usec);  // with those before it
    last.kibibytes = usage.ru_maxrss;
    outcomes.push_back(last);
    if (!shown) files::remove_all(folder);
}

/// A process of the campaign: every `jobs`-th input, an outcome a line.
void work(const std::vector<Kind>& kinds, const Options& options, unsigned job, const std::string& scratch) {
    std::ofstream out(fmt::format("{}/outcomes-{}", scratch, job));
    const std::string folder = fmt::format("{}/job-{}", scratch, job);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = job; number < options.count; number += options.jobs) numbers.push_back(number);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        std::vector<Outcome> outcomes;
        while (outcomes.size() < numbers.size()) {
            const auto rest = std::span(numbers).subspan(outcomes.size());
            try_some(kinds[kind], options.seed, rest.first(std::min(rest.size(), inputs_a_process)), folder, false,
                     outcomes);
        }
        for (const Outcome& one : outcomes)
            out << kind << ' ' << one.number << ' ' << one.status << ' ' << one.seconds << ' ' << one.kibibytes << '\n';
        out.flush();
    }
}

std::string again(const Kind& kind, const Options& options, std::uint64_t number) {
    return fmt::format("campaign --kind {} --seed {} --only {}", kind.name, options.seed, number);
}

/// The report: counts by kind and status, the slowest and the largest of each kind, every failure.
std::string report_of(const std::vector<Kind>& kinds, const Options& options, std::vector<Outcome> outcomes) {
    std::string text;
    std::size_t failures = 0;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        std::map<int, std::uint64_t> statuses;
        Outcome slowest;
        Outcome largest;
        std::uint64_t inputs = 0;
        for (const Outcome& outcome : outcomes) {
            if (outcome.kind != kind) continue;
            ++inputs;
            ++statuses[outcome.status];
            if (outcome.seconds >= slowest.seconds) slowest = outcome;
            if (outcome.kibibytes >= largest.kibibytes) largest = outcome;
        }
        text += fmt::format("{}: {} inputs;", kinds[kind].name, inputs);
        for (const auto& [status, count] : statuses) text += fmt::format(" status {}: {};", status, count);
        text += fmt::format(" slowest {:.2f} s (--only {}), largest {} MiB (--only {})\n", slowest.seconds,
                            slowest.number, largest.kibibytes / 1024, largest.number);
    }
    std::sort(outcomes.begin(), outcomes.end(), [](const Outcome& one, const Outcome& other) {
        return std::pair(one.kind, one.number) < std::pair(other.kind, other.number);
    });
    for (const Outcome& outcome : outcomes) {
        if (!outcome.is_failure()) continue;
        ++failures;
        text += fmt::format("FAILED: status {}, {:.2f} s, {} MiB: {}\n", outcome.status, outcome.seconds,
                            outcome.kibibytes / 1024, again(kinds[outcome.kind], options, outcome.number));
    }
    text += fmt::format("{} inputs, {} failures\n", outcomes.size(), failures);
    return text;
}

Result<std::vector<Kind>> chosen_kinds(const Options& options, const std::string& scratch) {
    auto kinds = all_kinds(options.root, scratch);
    if (!kinds || options.kinds.empty()) return kinds;
    std::erase_if(*kinds, [&](const Kind& kind) {
        return std::find(options.kinds.begin(), options.kinds.end(), kind.name) == options.kinds.end();
    });
    if (kinds->size() != options.kinds.size())
        return Error{ErrorKind::bad_input, "no such kind", fmt::format("--kind {}", fmt::join(options.kinds, " ")),
                     "cubin, fat_binary, trace, index, platform, instance, npy, accel_sim"};
    return kinds;
}

int run_all(const std::vector<Kind>& kinds, const Options& options, const std::string& scratch) {
    std::vector<pid_t> workers;
    std::fflush(nullptr);
    for (unsigned job = 0; job < options.jobs; ++job) {
        const pid_t worker = fork();
        if (worker == 0) {
            work(kinds, options, job, scratch);
            _exit(0);
        }
        workers.push_back(worker);
    }
    bool lost = false;
    for (const pid_t worker : workers) {
        int status = 0;
        waitpid(worker, &status, 0);
        lost = lost || status != 0;
    }
    std::vector<Outcome> outcomes;
    for (unsigned job = 0; job < options.jobs; ++job) {
        std::ifstream in(fmt::format("{}/outcomes-{}", scratch, job));
        for (Outcome one; in >> one.kind >> one.number >> one.status >> one.seconds >> one.kibibytes;)
            outcomes.push_back(one);
    }
    lost = lost || outcomes.size() != kinds.size() * options.count;
    std::string text = report_of(kinds, options, outcomes);
    if (lost) text += "a worker ended before its inputs did\n";
    fmt::print("{}", text);
    if (!options.report.empty()) std::ofstream(options.report) << text;
    const bool failed =
        std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& one) { return one.is_failure(); });
    return failed || lost ? 1 : 0;
}

/// One input alone, its output shown and its files kept.
int run_only(const std::vector<Kind>& kinds, const Options& options, const std::string& scratch) {
    bool failed = false;
    for (const Kind& kind : kinds) {
        std::vector<Outcome> outcomes;
        try_some(kind, options.seed, std::span(&*options.only, 1), scratch + "/" + kind.name, true, outcomes);
        const Outcome& outcome = outcomes.front();
        fmt::print("{}: status {}, {:.2f} s, {} MiB; its files are in {}/{}\n", kind.name, outcome.status,
                   outcome.seconds, outcome.kibibytes / 1024, scratch, kind.name);
        failed = failed || outcome.is_failure();
    }
    return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Damages inputs and hands each to the command line", "campaign");
    app.add_option("--count", options.count, "inputs of each kind")->capture_default_str();
    app.add_option("--seed", options.seed, "of the damage")->capture_default_str();
    app.add_option("--jobs", options.jobs, "processes at a time")->check(CLI::Range(1U, 1024U))->capture_default_str();
    app.add_option("--kind", options.kinds, "cubin, fat_binary, trace, index, platform, instance, npy, accel_sim; all");
    app.add_option("--only", options.only, "this input alone: its output is shown and its files stay");
    app.add_option("--report", options.report, "file for the report, too");
    app.add_option("--root", options.root, "the repository, where seeds are")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    std::string scratch = (files::temp_directory_path() / "sassafras-campaign-XXXXXX").string();
    if (mkdtemp(scratch.data()) == nullptr) {
        std::perror("campaign: mkdtemp");
        return 2;
    }
    files::create_directory(scratch + "/seeds");
    const auto kinds = chosen_kinds(options, scratch + "/seeds");
    if (!kinds) {
        fmt::print(stderr, "campaign: {}\n", kinds.error().message());
        return 2;
    }
    if (options.only) return run_only(*kinds, options, scratch);
    const int status = run_all(*kinds, options, scratch);
    files::remove_all(scratch);
    return status;
}
