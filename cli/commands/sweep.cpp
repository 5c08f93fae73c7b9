// Studies: a command with many values of its options, each run once, all results in one table.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/sweep_options.hpp"
#include "core/number_text.hpp"
#include "study/sweep/table_files.hpp"

namespace sassafras::cli {

namespace {

namespace sweep = study::sweep;

struct SweepRunOptions {
    SweepOptions study;
    std::uint32_t jobs = std::max(1U, std::thread::hardware_concurrency());
    std::string shard;
    bool again = false;
};

std::string status_text(const sweep::Status& status) {
    return fmt::format("{} runs: {} done, {} failed, {} left\n", grouped(status.runs), grouped(status.done),
                       grouped(status.failed), grouped(status.left()));
}

/// "2/8": the third of eight parts.
Result<sweep::Shard> parse_shard(const std::string& text) {
    sweep::Shard shard;
    if (text.empty()) return shard;
    int used = 0;
    unsigned long long index = 0;
    unsigned long long count = 0;
    if (std::sscanf(text.c_str(), "%llu/%llu%n", &index, &count, &used) == 2 &&
        static_cast<std::size_t>(used) == text.size() && index < count) {
        shard.index = index;
        shard.count = count;
        return shard;
    }
    return Error{ErrorKind::bad_input, "this is no part of a study", "--shard " + text,
                 "write I/N with I from 0 to N - 1: 0/4 to 3/4"};
}

/// A line on the terminal, a few times a second.
std::function<void(std::uint64_t, std::uint64_t)> study_progress(std::uint64_t tasks) {
    if (isatty(STDERR_FILENO) != 1) return {};
    using Clock = std::chrono::steady_clock;
    return
        [tasks, begin = Clock::now(), shown = Clock::time_point{}](std::uint64_t ended, std::uint64_t failed) mutable {
            const auto now = Clock::now();
            if (ended == tasks) {
                std::fputs("\r\x1b[K", stderr);
            } else if (now - shown > std::chrono::milliseconds(200)) {
                shown = now;
                const double seconds = std::chrono::duration<double>(now - begin).count();
                const double left = seconds / static_cast<double>(ended) * static_cast<double>(tasks - ended);
                std::fprintf(stderr, "\r\x1b[K%s of %s runs, %s failed, %.0f s left", grouped(ended).c_str(),
                             grouped(tasks).c_str(), grouped(failed).c_str(), left);
            }
        };
}

Result<int> plan_study(const SweepOptions& options) {
    auto study = chosen_study(options);
    if (!study) return study.error();
    return end_with(status_text(study->status()));
}

Result<int> run_study(const SweepRunOptions& options) {
    const auto shard = parse_shard(options.shard);
    if (!shard) return shard.error();
    auto study = chosen_study(options.study);
    if (!study) return study.error();
    auto program = own_program();
    if (!program) return program.error();
    const auto tasks = study->tasks(*shard, options.again);
    auto outcome =
        sweep::run_here(tasks, study->store(), {*program, study_version(), options.jobs, study_progress(tasks.size())});
    if (!outcome) return outcome.error();
    const sweep::Status status = study->status();
    if (auto printed = print(status_text(status)); !printed) return printed.error();
    return status.failed == 0 ? 0 : 1;
}

Result<int> status_of_study(const SweepOptions& options) {
    auto study = chosen_study(options);
    if (!study) return study.error();
    return end_with(status_text(study->status()));
}

struct CollectOptions {
    SweepOptions study;
    std::string output;
};

Result<int> collect_study(const CollectOptions& options) {
    auto study = chosen_study(options.study);
    if (!study) return study.error();
    auto table = sweep::collect(*study);
    if (!table) return table.error();
    if (options.output.empty()) return end_with(sweep::csv_text(*table));
    if (auto written = sweep::write_table(*table, options.output); !written) return written.error();
    return 0;
}

template <class Options>
CLI::App* add(CLI::App& sweep, Program& program, const char* name, const char* what,
              const std::shared_ptr<Options>& options, SweepOptions& study, Result<int> (*action)(const Options&)) {
    CLI::App* command = sweep.add_subcommand(name, what);
    add_study_options(*command, study);
    command->callback([options, &study, action, &program] {
        study.command = std::exchange(program.user_program, {});
        program.chosen = [options, action] { return action(*options); };
    });
    return command;
}

}  // namespace

void add_sweep(CLI::App& app, Program& program) {
    CLI::App* command =
        app.add_subcommand("sweep", "Run a command with many values of its options, and tabulate what comes out");
    command->require_subcommand(1);
    const auto planned = std::make_shared<SweepOptions>();
    add(*command, program, "plan", "Say how many runs a study has", planned, *planned, plan_study);

    const auto running = std::make_shared<SweepRunOptions>();
    CLI::App* runs = add(*command, program, "run", "Make the runs of a study that have no result yet", running,
                         running->study, run_study);
    runs->add_option("--jobs", running->jobs, "runs at a time; as many as there are processors if not given")
        ->transform(whole_number(1, 4096));
    runs->add_option("--shard", running->shard, "only every N-th run, from the I-th: I/N, as one of N processes");
    runs->add_flag("--retry-failed", running->again, "also those that failed before");

    const auto asked = std::make_shared<SweepOptions>();
    add(*command, program, "status", "Say how many runs are done, failed and left", asked, *asked, status_of_study);

    const auto collected = std::make_shared<CollectOptions>();
    add(*command, program, "collect", "Write all results as one table", collected, collected->study, collect_study)
        ->add_option("-o,--output", collected->output,
                     "a .csv, .sqlite (or .db) or .npz file; CSV to standard output if not given");
}

}  // namespace sassafras::cli
