#include "cli/commands/sweep_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/sweep_check.hpp"
#include "cli/options/given_options.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/own_place.hpp"
#include "cli/reports/sweep_report.hpp"
#include "core/number_text.hpp"
#include "core/part.hpp"
#include "study/sweep/mpi_ranks.hpp"
#include "study/sweep/shared_results.hpp"
#include "study/sweep/slurm_job.hpp"

namespace sassafras::cli {

namespace sweep = study::sweep;

namespace {

/// What belongs to another engine would have no effect.
Result<void> check_engine_options(const SweepRunOptions& options) {
    const GivenOptions given = given_options(*options.command);
    const std::string chosen = ", and the engine is " + options.engine;
    if (options.engine != "slurm")
        if (auto checked =
                given.refuse({"--partition", "--account", "--time", "--mem", "--sbatch", "--template", "--wait"},
                             "belongs to --engine slurm" + chosen, "choose that engine");
            !checked)
            return checked;
    if (options.engine == "local")
        return given.refuse({"--shards"}, "belongs to --engine slurm and to --engine mpi" + chosen,
                            "choose one of those, or make one part by --shard I/N");
    if (auto checked =
            given.refuse({"--shard"}, "belongs to --engine local" + chosen + ", which divides the runs itself",
                         "choose that engine");
        !checked)
        return checked;
    if (options.engine != "mpi") return {};
    if (sweep::own_rank()) return given.refuse({"--shards"}, "what has started this rank says how many there are", "");
    return given.refuse({"--jobs"},
                        "belongs to --engine local and to --engine slurm" + chosen +
                            ", whose ranks make one "
                            "run at a time",
                        "give more --shards");
}

/// Runs that find none of their files would be rows that failed.
Result<void> check_directory(const sweep::StudyFolder& study) {
    const std::string& directory = study.description().directory;
    if (directory.empty() || !study.directory().empty()) return {};
    return Error{ErrorKind::bad_input, "the folder that this study was made in is not there", directory,
                 "plan the study again where its files are; or say in study.json, as \"directory\", where they are"};
}

/// After a whole study: how it stands, and 1 if some runs failed or have no result.
Result<int> end_of(const sweep::StudyFolder& study, const Console& console) {
    const auto states = study.states();
    const sweep::Status status = study.status(states);
    if (auto printed = console.print(status_text(study, states)); !printed) return printed.error();
    return status.failed == 0 && status.to_make() == 0 ? 0 : 1;
}

/// In this process's children. Of a part the status only says that all of its runs were made: those that failed are
/// rows, and what started the parts must not end the others for one.
Result<int> run_part(const SweepRunOptions& options, const sweep::StudyFolder& study, const sweep::Shard& shard,
                     const std::string& program, std::uint32_t jobs) {
    const auto tasks = study.tasks(shard, options.again);
    auto outcome =
        sweep::run_here(tasks, study.store(),
                        {program, study_version(), study.directory().string(), double(options.timeout), jobs,
                         options.jobs == 0 && shard.count == 1, study_progress(tasks.size(), *options.study.console)});
    if (!outcome) return outcome.error();
    if (shard.count == 1)
        if (auto ended = end_of(study, *options.study.console); !ended || outcome->unmade == 0) return ended;
    if (outcome->unmade == 0) return 0;
    const Error error = changed_input(*outcome);
    if (options.engine != "mpi") return error;
    options.study.console->note(fmt::format("sassafras: note: {}\n", error.message()));
    return 0;
}

Result<int> run_by_mpi(const SweepRunOptions& options, const sweep::StudyFolder& study, const std::string& program) {
    if (const auto rank = sweep::own_rank())
        return run_part(options, study, *rank, program, std::max(1U, options.jobs));
    const std::uint64_t ranks = options.shards != 0 ? options.shards : processors();
    if (auto done = sweep::run_ranks(program, study.place().string(), ranks, options.again, options.timeout,
                                     options.study.console->poll);
        !done)
        return done.error();
    return end_of(study, *options.study.console);
}

Result<int> run_by_slurm(const SweepRunOptions& options, const sweep::StudyFolder& study, const std::string& program) {
    constexpr std::uint64_t fewest_runs_a_shard = 4;  // an element of a job takes seconds to begin
    constexpr std::uint64_t most_shards = 64;
    auto chosen = chosen_slurm_job(options.slurm);
    if (!chosen) return chosen.error();
    const std::uint64_t left = study.tasks({}, options.again).size();
    if (left == 0) return end_of(study, *options.study.console);
    sweep::SlurmOptions slurm = std::move(*chosen);
    slurm.program = program;
    slurm.study = std::filesystem::absolute(study.place()).string();
    slurm.shards =
        options.shards != 0 ? options.shards : std::clamp<std::uint64_t>(left / fewest_runs_a_shard, 1, most_shards);
    slurm.jobs = std::max(1U, options.jobs);
    slurm.again = options.again;
    slurm.timeout = options.timeout;
    auto job = sweep::submit(slurm, options.study.console->poll);
    if (!job) return job.error();
    if (slurm.wait) return end_of(study, *options.study.console);
    return end_with(*options.study.console,
                    fmt::format("job {} of {} shards; sassafras sweep status {} says how far it is\n", *job,
                                slurm.shards, study.place().string()));
}

}  // namespace

std::uint32_t processors() { return std::max(1U, std::thread::hardware_concurrency()); }

/// A line on the terminal, a few times a second.
std::function<void(std::uint64_t, std::uint64_t)> study_progress(std::uint64_t tasks, const Console& console) {
    if (console.poll) return [poll = console.poll](std::uint64_t, std::uint64_t) { poll(); };
    if (!console.shows_progress || isatty(STDERR_FILENO) != 1) return {};
    using Clock = std::chrono::steady_clock;
    return
        [tasks, begin = Clock::now(), shown = Clock::time_point{}](std::uint64_t ended, std::uint64_t failed) mutable {
            const auto now = Clock::now();
            if (ended == tasks) {
                std::fputs("\r\x1b[K", stderr);
            } else if (ended != 0 && now - shown > std::chrono::milliseconds(200)) {
                shown = now;
                const double seconds = std::chrono::duration<double>(now - begin).count();
                const double left = seconds / static_cast<double>(ended) * static_cast<double>(tasks - ended);
                std::fprintf(stderr, "\r\x1b[K%s of %s runs, %s failed, %.0f s left", grouped(ended).c_str(),
                             grouped(tasks).c_str(), grouped(failed).c_str(), left);
            }
        };
}

Error changed_input(const sweep::LocalOutcome& outcome) {
    return {
        ErrorKind::check_failed,
        fmt::format("{} runs were not kept: what they read changed after the study had begun", grouped(outcome.unmade)),
        outcome.changed_input, "let the file be, and run the study again"};
}

Result<int> run_study(const SweepRunOptions& options) {
    if (options.slurm.prints_template) return end_with(*options.study.console, std::string(sweep::default_template()));
    if (options.study.study.empty())
        return Error{ErrorKind::bad_input, "no study is given", "sweep run",
                     "name a folder or a file; sassafras sweep plan makes one"};
    if (auto checked = check_engine_options(options); !checked) return checked.error();
    const auto shard = parse_part(options.shard, "--shard");
    if (!shard) return shard.error();
    auto study = chosen_study(options.study, check_study);
    if (!study) return study.error();
    if (auto checked = check_directory(*study); !checked) return checked.error();
    for (const std::string& other : options.shares) {
        const auto taken = sweep::take_results(study->tasks(*shard, false), study->store(), other);
        if (!taken) return taken.error();
        if (*taken != 0)
            options.study.console->note(fmt::format("note: {} results are those of {}\n", grouped(*taken), other));
    }
    auto program = own_program();
    if (!program) return program.error();
    if (options.engine == "mpi") return run_by_mpi(options, *study, *program);
    if (options.engine == "slurm") return run_by_slurm(options, *study, *program);
    return run_part(options, *study, *shard, *program, options.jobs != 0 ? options.jobs : processors());
}

void add_run_options(CLI::App& command, SweepRunOptions& options) {
    options.command = &command;
    command
        .add_option("--engine", options.engine,
                    "local: processes of this machine; slurm: a job array; mpi: ranks that mpirun starts")
        ->check(one_of({"local", "slurm", "mpi"}))
        ->capture_default_str();
    command
        .add_option("--jobs", options.jobs,
                    "runs at a time, of a shard where there are shards; if not given as many as there are processors, "
                    "of a shard one")
        ->transform(whole_number(1, 4096));
    command.add_option("--shards", options.shards, "parts of the study: elements of the job array, or ranks")
        ->transform(whole_number(1, 100'000));
    command.add_option("--shard", options.shard, "only every N-th run, from the I-th: I/N, as one of N processes");
    command.add_flag("--retry-failed", options.again, "also those that failed before");
    command.add_option("--timeout", options.timeout, "seconds after which a run is ended, and has failed")
        ->transform(whole_number(1, 100'000'000));
    command
        .add_option("--share", options.shares,
                    "another study, of which results are taken that are the same by their key; may be repeated")
        ->type_name("STUDY")
        ->check(not_empty("a study"))
        ->expected(1)
        ->take_all();
    add_slurm_options(command, options.slurm);
}

}  // namespace sassafras::cli
