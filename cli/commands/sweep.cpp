// Studies: a command with many values of its options, each run once, all results in one table.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/sweep_check.hpp"
#include "cli/commands/sweep_run.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/own_place.hpp"
#include "cli/options/sweep_options.hpp"
#include "cli/reports/result_text.hpp"
#include "cli/reports/sweep_report.hpp"
#include "core/number_text.hpp"
#include "core/staged_file.hpp"
#include "study/sweep/table_files.hpp"
#include "study/sweep/time_estimate.hpp"

namespace sassafras::cli {

namespace {

namespace sweep = study::sweep;

struct PlanOptions {
    SweepOptions study;
    bool tries = false;
};

std::string time_text(const std::optional<sweep::TimeEstimate>& estimate, bool has_made) {
    if (!estimate && has_made)
        return "how long they take is not known: those made so far lie too close together; --try makes a few others\n";
    if (!estimate) return "how long they take is not known: --try makes a few of them\n";
    const auto seconds = static_cast<std::uint64_t>(std::ceil(estimate->seconds / processors()));
    const std::string text = seconds < 100    ? fmt::format("{} s", seconds)
                             : seconds < 6000 ? fmt::format("{} min", (seconds + 59) / 60)
                                              : fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
    return fmt::format("about {} on the {} processors of this machine, by {} that were timed\n", text, processors(),
                       grouped(estimate->timed));
}

Result<int> plan_study(const PlanOptions& options) {
    auto study = chosen_study(options.study, check_study);
    if (!study) return study.error();
    if (options.tries) {
        auto program = own_program();
        if (!program) return program.error();
        const auto tasks = sweep::pilots(*study);
        auto outcome = sweep::run_here(tasks, study->store(),
                                       {*program, study_version(), study->directory().string(), 0, 1, false,
                                        study_progress(tasks.size(), *options.study.console)});
        if (!outcome) return outcome.error();
        if (outcome->unmade != 0) return changed_input(*outcome);
    }
    const auto states = study->states();
    const sweep::Status status = study->status(states);
    return end_with(*options.study.console, status_text(*study, states) +
                                                (status.to_make() == 0 ? ""
                                                                       : time_text(sweep::estimate_time(*study, states),
                                                                                   status.done + status.failed != 0)));
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
                            [&] { return status_text(*study, states); }, options.measure);
        !done)
        return done.error();
    return 0;
}

struct CollectOptions {
    SweepOptions study;
    MeasureOptions measure;
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
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    auto study = chosen_study(options.study);
    if (!study) return study.error();
    auto table = sweep::collect(*study);
    if (!table) return table.error();
    const auto& lists = table->left_out_lists();
    if (!lists.empty())
        options.study.console->note(
            fmt::format("note: lists of more than 16 values are in no column: {}\n", fmt::join(lists, ", ")));
    const auto& description = study->description();
    if (description.split_launches != 1 && std::any_of(description.commands.begin(), description.commands.end(),
                                                       [](const auto& command) { return command.front() == "exec"; }))
        options.study.console->note(
            "note: of programs whose launches are split no column says their times (time.*): each part has others\n");
    if (!options.output.empty()) {
        const auto lacking = sweep::write_table(*table, options.output);
        if (!lacking) return lacking.error();
        if (*lacking != 0)
            options.study.console->note(fmt::format(
                "note: {} of {} columns are left out, as SQLite has no more; a .csv or .npz file has them all\n",
                *lacking, table->columns().size()));
    }
    auto found_out = nlohmann::ordered_json::object();
    std::optional<StudyFront> front;
    std::optional<StudySensitivity> sensitivity;
    std::string text;
    if (!options.best.empty()) {
        auto found = study_front(*study, *table, options.best, options.costs, options.by);
        if (!found) return found.error();
        front = std::move(*found);
        found_out["front"] = front_json(*front);
        text += front_table(*table, *front);
    }
    if (!options.sensitivity.empty()) {
        auto found = study_sensitivity(*study, *table, options.sensitivity);
        if (!found) return found.error();
        sensitivity = std::move(*found);
        found_out["sensitivity"] = sensitivity_json(*sensitivity);
        text += (text.empty() ? "" : "\n") + sensitivity_table(*sensitivity);
    }
    if (!options.svg.empty())
        if (auto written = write_output_file(chart_file(options), study_svg(*table, sensitivity, front)); !written)
            return written.error();
    const bool asks_for_no_other = options.output.empty() && text.empty();
    const bool wants_json = !options.measure.json.empty() || (options.measure.console->take_json && !text.empty());
    if (!wants_json && !asks_for_no_other) return end_with(*options.study.console, text);
    const auto shown = [&] { return options.measure.json.empty() ? sweep::csv_text(*table) : text; };
    MeasureOptions measure = options.measure;
    measure.csv = measure.json.empty();
    auto head = result_head("study_table");
    head.update(found_out);
    if (auto done = deliver([&] { return sweep::json_text(*table, std::move(head)); }, shown, measure); !done)
        return done.error();
    return 0;
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
    add_run_options(*runs, *running);
    runs->get_option("study")->required(false);  // --print-template is about none

    const auto asked = std::make_shared<StatusOptions>();
    asked->measure.console = program.console;
    add_json_option(*add(*command, program, "status", "Say how many runs are done, failed and left", asked,
                         asked->study, status_of_study),
                    asked->measure);

    const auto collected = std::make_shared<CollectOptions>();
    CLI::App* collects =
        add(*command, program, "collect", "Write all results as one table", collected, collected->study, collect_study);
    collected->measure.console = program.console;
    add_json_option(*collects, collected->measure);
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
