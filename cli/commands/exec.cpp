#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/exec_conflicts.hpp"
#include "cli/commands/program_run.hpp"
#include "cli/options/conflict_options.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/rule_options.hpp"
#include "cli/reports/exec_report.hpp"
#include "cli/reports/kernel_summary.hpp"
#include "cli/reports/program_time.hpp"
#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::cli {

namespace {

struct ExecOptions {
    MeasureOptions measure;
    bool count_conflicts = false;
    ConflictCommandOptions conflicts;
    std::vector<std::string> program;
};

Result<void> check_options(const ExecOptions& options) {
    const MeasureOptions& measure = options.measure;
    if (options.program.empty())
        return Error{ErrorKind::bad_input, "no program is given", "exec",
                     "name it behind --: sassafras exec -- ./program; see sassafras exec --help"};
    if (measure.json == "-")
        return Error{ErrorKind::bad_input, "the program prints to standard output, too", "--json -",
                     "give --json a file"};
    if (auto checked = check_outputs(measure); !checked) return checked;
    if (auto checked = check_sampling(measure); !checked) return checked;
    if (auto checked = check_rules(measure); !checked) return checked;
    if (auto checked = check_timeline(measure); !checked) return checked;
    if (auto checked = check_selection(measure); !checked) return checked;
    if (measure.device == "functional")
        return measure.given.refuse({"--cache-control", "--launches"},
                                    "the functional device has no caches, and no time", "choose another --device");
    return {};
}

/// Copies and sets that the JSON lists.
constexpr std::size_t most_transfers = 10'000;

bool wants_json(const MeasureOptions& options) { return !options.json.empty() || options.console->take_json; }

/// With a part of the launches, the rest takes no time: neither is the program's.
void put_times(Report& report, const std::vector<cudart::TimelineEntry>& timeline) {
    if (report.part || timeline.empty()) return;
    report.launch_times.resize(report.kernels.size());
    for (const cudart::TimelineEntry& entry : timeline)
        if (entry.kind == cudart::TimelineEntry::Kind::kernel)
            report.launch_times[entry.number] = {entry.track, entry.begin, entry.end};
    report.time = time_json(timeline, most_transfers);
}

cudart::ExecSettings settings_of(const MeasureOptions& options, const sim::ResolvedPlatform& platform) {
    const bool has_timeline = !options.timeline.file.empty();
    cudart::ExecSettings settings;
    settings.device = options.device == "functional" ? cudart::ExecSettings::Device::functional
                                                     : cudart::ExecSettings::Device::simulated;
    settings.platform = sim::platform_text(platform);
    settings.threads = options.threads;
    settings.instruction_limit = options.instruction_limit;
    settings.check = options.check;
    settings.sample = options.sample;
    settings.narrow = options.narrow();
    settings.profile_interval = options.timeline.interval;
    settings.blocks_of_launch = options.timeline.blocks;
    settings.most_blocks = options.timeline.most_events;
    settings.selection = options.selection.selection();
    settings.cold_caches = has_cold_caches(options);
    settings.times_unselected = times_unselected(options);
    settings.full_metrics = options.measures_full_set() || wants_rules(options);
    settings.source = options.page == "source" || wants_rules(options) || options.html.is_asked();
    settings.nvtx = has_timeline || !settings.selection.ranges.empty();
    settings.lists_work = has_timeline || wants_json(options) || options.html.is_asked();
    return settings;
}

Result<int> exec(const ExecOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_options(options); !checked) return checked.error();
    const auto launches = chosen_launches(options.measure);
    if (!launches) return launches.error();
    if (options.count_conflicts) return exec_conflicts(options.program, options.measure, options.conflicts, command);
    auto resolved = chosen_platform(options.measure);
    if (!resolved) return resolved.error();
    cudart::ExecSettings settings = settings_of(options.measure, *resolved);
    if (*launches) settings.timed_launches = **launches;
    std::shared_ptr<RecordedRun> recorded;
    if (wants_estimates(options.measure)) {
        auto begun = RecordedRun::begin();
        if (!begun) return begun.error();
        recorded = std::move(*begun);
        settings.trace_folder = recorded->traced.path;
    }

    auto run = run_program(options.program, settings, *options.measure.console);
    if (!run) return run.error();
    Report report;
    report.command = recorded_command(command);
    report.device = fmt::format("{} ({})", resolved->platform.name, options.measure.device);
    report.platform = {
        {"name", resolved->platform.name}, {"hash", resolved->hash}, {"resolved", sim::platform_json(*resolved)}};
    report.workload = describe_program(options.program, *run);
    report.wall_seconds = run->wall_seconds;
    report.kernels = std::move(run->records.kernels);
    report.compute_capability = capability_text(
        {resolved->platform.gpu.compute_capability_major, resolved->platform.gpu.compute_capability_minor});
    if (recorded) recorded->traced.launches = std::move(run->records.traced);
    sim::ModelOptions model = model_options(options.measure);
    model.new_process = true;
    std::optional<sim::TraceFolder> beside;
    // Who interrupts does not want to wait.
    if (recorded && (run->exited || run->signal != SIGINT))
        beside = recorded_beside(report.kernels, recorded->traced, options.measure);
    if (auto ruled =
            put_rules(report, report.kernels, beside ? &*beside : nullptr, resolved->platform, model, options.measure);
        !ruled)
        return ruled.error();
    if (!options.measure.measures_full_set()) drop_full_set(report);
    if (*launches) keep_part(report, **launches);
    std::vector<std::string> failed;
    for (const cudart::FailedLaunch& launch : run->records.failed) failed.push_back(launch.kernel);
    if (auto done = put_selection(report, options.measure, failed); !done) return done.error();
    if (wants_json(options.measure)) put_times(report, run->records.timeline);
    if (options.measure.check) report.findings = run->records.findings;
    report.stopped_early = !run->exited || std::any_of(run->records.troubles.begin(), run->records.troubles.end(),
                                                       [](const auto& trouble) { return trouble.cut_short; });
    print_findings_beside_csv(report, options.measure);
    const auto drawn =
        deliver_html(report, &resolved->platform, options.measure, report.part ? nullptr : &run->records.timeline);
    const Page page = options.measure.page_kind();
    // As Nsight Compute: metrics by name are on the page of details.
    const bool summary = options.measure.page == "summary" && !report.metrics && !report.is_per_kernel &&
                         options.measure.details.sections.empty();
    const auto text = [&] {
        if (report.is_per_kernel && options.measure.csv) return kernels_csv(report);
        if (options.measure.csv) return to_csv(report, summary ? Page::raw : page);
        const std::string times = report.part ? "" : to_table(program_times(run->records.timeline));
        if (wants_source_lines(options.measure)) return source_lines_page(report, options.measure) + times;
        if (summary) return summary_table(report, run->records.failed) + to_totals(report) + times;
        if (report.is_per_kernel)
            return kernels_table(report, shows_all_metrics(options.measure)) + to_totals(report) +
                   failed_lines(run->records.failed) + times;
        return to_table(report, page) + failed_lines(run->records.failed) + times;
    };
    if (auto done = deliver([&] { return to_json(report, page == Page::source); }, text, options.measure); !done)
        return done.error();
    if (!drawn) return drawn.error();
    if (auto written = deliver_timeline(report, options.measure, &run->records.timeline); !written)
        return written.error();
    const int status = exit_status(options.program, *run, *options.measure.console);
    return status != 0 ? status : status_of_findings(report);
}

}  // namespace

void add_exec(CLI::App& app, Program& program) {
    auto options = std::make_shared<ExecOptions>();
    options->measure.console = program.console;
    options->measure.cache_control = "none";
    options->measure.page = "summary";
    options->measure.has_sets = true;
    CLI::App* command =
        app.add_subcommand("exec", "Run a CUDA program, built with nvcc -cudart shared, on the modelled GPU");
    command
        ->add_option("--device", options->measure.device,
                     "simulated: execution and timing; functional: execution and counters, without time")
        ->check(one_of({"simulated", "functional"}))
        ->capture_default_str();
    add_output_options(*command, options->measure);
    describe_sets(*command);
    command->add_flag("--csv", options->measure.csv, "print CSV with Nsight Compute's columns instead of a table");
    command
        ->add_option("--page", options->measure.page,
                     "summary: a row a launch; details, raw, source: as of `sassafras run`")
        ->check(one_of({"summary", "details", "raw", "source"}))
        ->capture_default_str();
    add_source_options(*command, options->measure.source);
    add_details_options(*command, options->measure.details);
    command
        ->add_option("--cache-control", options->measure.cache_control,
                     "all: caches are cold before every launch; none: they stay as they are")
        ->check(one_of({"all", "none"}))
        ->capture_default_str();
    add_rule_options(*command, options->measure);
    add_launches_option(*command, options->measure);
    add_check_option(*command, options->measure);
    add_sample_options(*command, options->measure);
    add_timeline_options(*command, options->measure.timeline);
    add_selection_options(*command, options->measure.selection);
    add_nvtx_options(*command, options->measure.selection);
    add_metrics_options(*command, options->measure.selection);
    add_conflicts_flag(*command, options->count_conflicts, options->conflicts, true);
    add_html_option(*command, options->measure.html);
    add_instruction_limit(*command, options->measure);
    command->footer(
        "The program and its arguments come last, behind --:  sassafras exec --platform h200 -- ./program 1000");
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        options->program = std::exchange(program.user_program, {});
        if (!options->count_conflicts) options->measure.html.folder = options->conflicts.svg;
        program.chosen = [options, &program] { return exec(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
