#include <memory>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/commands/estimate_point.hpp"
#include "cli/commands/estimate_series.hpp"
#include "cli/html/html_reports.hpp"
#include "cli/options/choose_instance.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/workload_options.hpp"

namespace sassafras::cli {

namespace {

/// What would have no effect.
Result<void> check_choices(const EstimateOptions& options) {
    const GivenOptions& given = options.measure.given;
    if (!needs_run(options))
        if (auto refused =
                given.refuse({"--platform", "--set", "--threads", "--instruction-limit"},
                             "nothing runs, the counts are a formula's", "add --counts measured or --model all");
            !refused)
            return refused;
    if (options.model != "spt" && options.model != "all")
        return given.refuse({"--counts", "--reading", "--beta1", "--beta2"}, "rivals take what a run counted",
                            "choose --model spt or all");
    if (options.counts == "measured")
        return given.refuse({"--beta1", "--beta2"}, "conflicts are in what a run counted",
                            "leave out --counts measured");
    return {};
}

template <class Report>
Result<void> hand_over(const Report& report, const MeasureOptions& measure) {
    auto drawn = deliver_html_of(report, measure.html);
    auto delivered = deliver([&] { return to_json(report); },
                             [&] { return measure.csv ? to_csv(report) : to_table(report); }, measure);
    return delivered ? drawn : delivered;
}

Result<int> run_estimate(const EstimateOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    if (auto checked = check_choices(options); !checked) return checked.error();
    auto instance = choose_instance(options.instance);
    if (!instance) return instance.error();
    WorkloadOptions fixed = options.workload;
    const auto axes = series_axes(options, fixed);
    if (!axes) return axes.error();
    if (!axes->empty()) {
        auto series = estimate_series(options, fixed, *axes, *instance);
        if (!series) return series.error();
        series->first.command = recorded_command(command);
        if (auto delivered = hand_over(*series, options.measure); !delivered) return delivered.error();
        return 0;
    }
    auto point = estimate_point(options, fixed, *instance);
    if (!point) return point.error();
    point->report.command = recorded_command(command);
    if (auto delivered = hand_over(point->report, options.measure); !delivered) return delivered.error();
    if (point->run && !point->run->verified) return workloads::wrong_result(*point->run);
    return 0;
}

constexpr double most_beta = 1024;  ///< no bank has more lanes to serve

}  // namespace

void add_estimate(CLI::App& app, Program& program) {
    auto options = std::make_shared<EstimateOptions>();
    options->measure.console = program.console;
    options->measure.device = "functional";
    CLI::App* command = app.add_subcommand(
        "estimate", "Predict a workload's time by a formula, term by term: the SPT model, and its rivals");
    add_workload_choice(*command, options->workload);
    command
        ->add_option("--n", options->size,
                     "the size that matters most: keys, matrix order. A series too, as any parameter may be: a,b,c; "
                     "2^10..2^28 (doubles), 2^10..2^28:x4, 32..256:+32")
        ->check(not_empty("a number or a series"));
    command
        ->add_option("--instance", options->instance,
                     "the machine's L, B and sizes: a name that `sassafras list` shows, or a JSON file (docs/spt.md)")
        ->capture_default_str();
    command->add_option("--reading", options->reading, "of formulas whose print contradicts itself")
        ->check(one_of({"printed", "reconstructed"}))
        ->capture_default_str();
    command
        ->add_option("--counts", options->counts,
                     "formula: counts as the formula has them; measured: counted in a functional run")
        ->check(one_of({"formula", "measured"}))
        ->capture_default_str();
    command->add_option("--model", options->model, "spt, a rival, or all; rivals need a functional run, bounds do not")
        ->check(one_of(model_words()))
        ->capture_default_str();
    command->add_option("--beta1", options->search_beta, "accesses a request of searches in shared memory")
        ->check(real_number(1, most_beta));
    command->add_option("--beta2", options->merge_beta, "accesses a request of merges in shared memory")
        ->check(real_number(1, most_beta));
    add_html_options(*command, options->measure.html);
    add_counting_options(*command, options->measure);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        take_parameters(*command, options->workload);
        // Its parameters may be series, of which each point is checked by itself.
        program.check = [options] {
            const auto info = workloads::find(options->workload.workload);
            return info ? Result<void>() : info.error();
        };
        program.chosen = [options, &program] { return run_estimate(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
