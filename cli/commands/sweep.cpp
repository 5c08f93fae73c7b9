// Studies: a command with many values of its options, each run once, all results in one table.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/commands.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/own_place.hpp"
#include "cli/options/slurm_options.hpp"
#include "cli/options/sweep_options.hpp"
#include "cli/reports/sweep_report.hpp"
#include "core/number_text.hpp"
#include "core/part.hpp"
#include "core/staged_file.hpp"
#include "study/sweep/mpi_ranks.hpp"
#include "study/sweep/slurm_job.hpp"
#include "study/sweep/table_files.hpp"
#include "study/sweep/time_estimate.hpp"

namespace sassafras::cli {

namespace {

namespace sweep = study::sweep;

struct SweepRunOptions {
    SweepOptions study;
    std::string engine = "local";
    std::uint32_t jobs = 0;  ///< 0: the engine's own number
    std::uint64_t shards = 0;
    std::string shard;
    SlurmCommandOptions slurm;
    bool again = false;
};

std::string status_text(const sweep::Status& status) {
    const std::string damaged =
        status.damaged == 0 ? "" : fmt::format("{} damaged (sweep run makes them anew), ", grouped(status.damaged));
    return fmt::format("{} runs: {} done, {} failed, {}{} left\n", grouped(status.runs), grouped(status.done),
                       grouped(status.failed), damaged, grouped(status.left()));
}

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

struct PlanOptions {
    SweepOptions study;
    bool tries = false;
};

std::uint32_t processors() { return std::max(1U, std::thread::hardware_concurrency()); }

std::string time_text(const std::optional<sweep::TimeEstimate>& estimate) {
    if (!estimate) return "how long they take is not known: --try makes a few of them\n";
    const auto seconds = static_cast<std::uint64_t>(std::ceil(estimate->seconds / processors()));
    const std::string text = seconds < 100    ? fmt::format("{} s", seconds)
                             : seconds < 6000 ? fmt::format("{} min", (seconds + 59) / 60)
                                              : fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
    return fmt::format("about {} on the {} processors of this machine, by {} that were timed\n", text, processors(),
                       grouped(estimate->timed));
}

Error changed_input(const sweep::LocalOutcome& outcome) {
    return {
        ErrorKind::check_failed,
        fmt::format("{} runs were not kept: what they read changed after the study had begun", grouped(outcome.unmade)),
        outcome.changed_input, "let the file be, and run the study again"};
}

Result<int> plan_study(const PlanOptions& options) {
    auto study = chosen_study(options.study);
    if (!study) return study.error();
    if (options.tries) {
        auto program = own_program();
        if (!program) return program.error();
        const auto tasks = sweep::pilots(*study);
        auto outcome = sweep::run_here(
            tasks, study->store(),
            {*program, study_version(), 1, false, study_progress(tasks.size(), *options.study.console)});
        if (!outcome) return outcome.error();
        if (outcome->unmade != 0) return changed_input(*outcome);
    }
    const auto states = study->states();
    const sweep::Status status = study->status(states);
    return end_with(
        *options.study.console,
        status_text(status) + (status.to_make() == 0 ? "" : time_text(sweep::estimate_time(*study, states))));
}

/// After a whole study: how it stands, and 1 if some runs failed or have no result.
Result<int> end_of(const sweep::StudyFolder& study, const Console& console) {
    const sweep::Status status = study.status(study.states());
    if (auto printed = console.print(status_text(status)); !printed) return printed.error();
    return status.failed == 0 && status.to_make() == 0 ? 0 : 1;
}

/// In this process's children. Of a part the status only says that all of its runs were made: those that failed are
/// rows, and what started the parts must not end the others for one.
Result<int> run_part(const SweepRunOptions& options, const sweep::StudyFolder& study, const sweep::Shard& shard,
                     const std::string& program, std::uint32_t jobs) {
    const auto tasks = study.tasks(shard, options.again);
    auto outcome = sweep::run_here(tasks, study.store(),
                                   {program, study_version(), jobs, options.jobs == 0 && shard.count == 1,
                                    study_progress(tasks.size(), *options.study.console)});
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
    if (auto done =
            sweep::run_ranks(program, study.place().string(), ranks, options.again, options.study.console->poll);
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
    auto job = sweep::submit(slurm, options.study.console->poll);
    if (!job) return job.error();
    if (slurm.wait) return end_of(study, *options.study.console);
    return end_with(*options.study.console,
                    fmt::format("job {} of {} shards; sassafras sweep status {} says how far it is\n", *job,
                                slurm.shards, study.place().string()));
}

Result<int> run_study(const SweepRunOptions& options) {
    if (options.slurm.prints_template) return end_with(*options.study.console, std::string(sweep::default_template()));
    if (options.study.study.empty())
        return Error{ErrorKind::bad_input, "no study is given", "sweep run",
                     "name a folder or a file; sassafras sweep plan makes one"};
    const auto shard = parse_part(options.shard, "--shard");
    if (!shard) return shard.error();
    auto study = chosen_study(options.study);
    if (!study) return study.error();
    auto program = own_program();
    if (!program) return program.error();
    if (options.engine == "mpi") return run_by_mpi(options, *study, *program);
    if (options.engine == "slurm") return run_by_slurm(options, *study, *program);
    return run_part(options, *study, *shard, *program, options.jobs != 0 ? options.jobs : processors());
}

struct StatusOptions {
    SweepOptions study;
    MeasureOptions measure;
};

Result<int> status_of_study(const StatusOptions& options) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    auto study = chosen_study(options.study);
    if (!study) return study.error();
    const auto states = study->states();
    const sweep::Status status = study->status(states);
    if (auto done = deliver([&] { return status_json(*study, status, sweep::estimate_time(*study, states)); },
                            [&] { return status_text(status); }, options.measure);
        !done)
        return done.error();
    return 0;
}

struct CollectOptions {
    SweepOptions study;
    std::string output;
    std::string best;
    std::vector<std::string> costs;
    std::vector<std::string> by;
    std::string sensitivity;
    std::string svg;
};

OutputName chart_file(const CollectOptions& options) { return {options.svg, "the SVG file", "--svg"}; }

Result<void> check_chart(const CollectOptions& options) {
    if (options.svg.empty()) return {};
    if (options.sensitivity.empty() && options.costs.empty())
        return Error{ErrorKind::bad_input, "there is nothing to draw", "--svg " + options.svg,
                     "add --sensitivity COLUMN, or --best COLUMN with --cost COLUMN"};
    if (!options.best.empty() && options.costs.empty())
        return Error{ErrorKind::bad_input, "one column is no plane to draw a front in", "--best " + options.best,
                     "add --cost COLUMN"};
    return {};
}

Result<int> collect_study(const CollectOptions& options) {
    if (auto checked = check_chart(options); !checked) return checked.error();
    auto study = chosen_study(options.study);
    if (!study) return study.error();
    auto table = sweep::collect(*study);
    if (!table) return table.error();
    const auto& lists = table->left_out_lists();
    if (!lists.empty())
        options.study.console->note(
            fmt::format("note: lists of more than 16 values are in no column: {}\n", fmt::join(lists, ", ")));
    if (!options.output.empty()) {
        const auto lacking = sweep::write_table(*table, options.output);
        if (!lacking) return lacking.error();
        if (*lacking != 0)
            options.study.console->note(fmt::format(
                "note: {} of {} columns are left out, as SQLite has no more; a .csv or .npz file has them all\n",
                *lacking, table->columns().size()));
    }
    std::optional<StudyFront> front;
    std::optional<StudySensitivity> sensitivity;
    std::string text;
    if (!options.best.empty()) {
        auto found = study_front(*study, *table, options.best, options.costs, options.by);
        if (!found) return found.error();
        front = std::move(*found);
        text += front_table(*table, *front);
    }
    if (!options.sensitivity.empty()) {
        auto found = study_sensitivity(*study, *table, options.sensitivity);
        if (!found) return found.error();
        sensitivity = std::move(*found);
        text += (text.empty() ? "" : "\n") + sensitivity_table(*sensitivity);
    }
    if (!options.svg.empty())
        if (auto written = write_output_file(chart_file(options), study_svg(*table, sensitivity, front)); !written)
            return written.error();
    if (options.output.empty() && text.empty()) text = sweep::csv_text(*table);
    return end_with(*options.study.console, text);
}

template <class Options>
CLI::App* add(CLI::App& sweep, Program& program, const char* name, const char* what,
              const std::shared_ptr<Options>& options, SweepOptions& study, Result<int> (*action)(const Options&)) {
    CLI::App* command = sweep.add_subcommand(name, what);
    study.console = program.console;
    add_study_options(*command, study);
    command->callback([options, action, &program] { program.chosen = [options, action] { return action(*options); }; });
    return command;
}

/// As add(), of a command that may make the study that it is about.
template <class Options>
CLI::App* add_making(CLI::App& sweep, Program& program, const char* name, const char* what,
                     const std::shared_ptr<Options>& options, SweepOptions& study,
                     Result<int> (*action)(const Options&)) {
    CLI::App* command = add(sweep, program, name, what, options, study, action);
    add_description_options(*command, study);
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
    const auto planned = std::make_shared<PlanOptions>();
    add_making(*command, program, "plan", "Say how many runs a study has, and how long they will take", planned,
               planned->study, plan_study)
        ->add_flag("--try", planned->tries, "make a few of the runs first, one at a time, to know how long they take");

    const auto running = std::make_shared<SweepRunOptions>();
    CLI::App* runs = add_making(*command, program, "run", "Make the runs of a study that have no result yet", running,
                                running->study, run_study);
    runs->add_option("--engine", running->engine,
                     "local: processes of this machine; slurm: a job array; mpi: ranks that mpirun starts")
        ->check(one_of({"local", "slurm", "mpi"}))
        ->capture_default_str();
    runs->add_option("--jobs", running->jobs,
                     "runs at a time, of a shard where there are shards; if not given as many as there are processors, "
                     "of a shard one")
        ->transform(whole_number(1, 4096));
    runs->add_option("--shards", running->shards, "parts of the study: elements of the job array, or ranks")
        ->transform(whole_number(1, 100'000));
    runs->add_option("--shard", running->shard, "only every N-th run, from the I-th: I/N, as one of N processes");
    runs->add_flag("--retry-failed", running->again, "also those that failed before");
    add_slurm_options(*runs, running->slurm);
    runs->get_option("study")->required(false);  // --print-template is about none

    const auto asked = std::make_shared<StatusOptions>();
    asked->measure.console = program.console;
    add_json_option(*add(*command, program, "status", "Say how many runs are done, failed and left", asked,
                         asked->study, status_of_study),
                    asked->measure);

    const auto collected = std::make_shared<CollectOptions>();
    CLI::App* collects =
        add(*command, program, "collect", "Write all results as one table", collected, collected->study, collect_study);
    collects->add_option("-o,--output", collected->output,
                         "a .csv, .sqlite (or .db) or .npz file; CSV to standard output if nothing else is asked for");
    CLI::Option* best = collects->add_option("--best", collected->best,
                                             "print the runs that none beats in this column and in the costs: cycles");
    collects->add_option("--cost", collected->costs, "columns that are to be small, too: gpu.sm_count")
        ->delimiter(',')
        ->needs(best);
    collects
        ->add_option("--by", collected->by,
                     "with --best: runs that differ in these columns are not compared; if not given, those of --vary "
                     "where there is --set")
        ->delimiter(',')
        ->needs(best);
    collects->add_option("--sensitivity", collected->sensitivity,
                         "print by how many per cent this column changes where a parameter changes by one");
    collects->add_option("--svg", collected->svg, "draw what --sensitivity and --best print to this file, as SVG")
        ->check(output_file());
}

}  // namespace sassafras::cli
