#include "cli/options/options.hpp"

#include <fmt/format.h>

#include "cli/options/rule_options.hpp"

#include "cli/options/option_values.hpp"
#include "cli/reports/kernel_summary.hpp"
#include "core/printable.hpp"
#include "core/staged_file.hpp"
#include "sim/what_if/what_if.hpp"

namespace sassafras::cli {

namespace {
OutputName json_file(const MeasureOptions& options) { return {options.json, "the JSON file", options.json_option}; }
}  // namespace

Page MeasureOptions::page_kind() const {
    if (page == "raw") return Page::raw;
    return page == "source" ? Page::source : Page::details;
}

void add_device_options(CLI::App& command, MeasureOptions& options) {
    command
        .add_option(
            "--device", options.device,
            "simulated: execution and timing; functional: execution and counters; cuda: the GPU of this machine")
        ->check(one_of({"simulated", "functional", "cuda"}))
        ->capture_default_str();
    add_output_options(command, options);
}

void add_json_option(CLI::App& command, MeasureOptions& options) {
    command
        .add_option("--json", options.json,
                    "write the result as JSON to this file; - is standard output, in place of the table")
        ->check(not_empty("a file, or -"));
}

void add_seed_option(CLI::App& command, MeasureOptions& options) {
    command.add_option("--seed", options.seed, "seed of everything random")
        ->transform(whole_number())
        ->capture_default_str();
}

void add_instruction_limit(CLI::App& command, MeasureOptions& options) {
    command
        .add_option("--instruction-limit", options.instruction_limit,
                    "instructions that a warp may run before the kernel counts as a runaway; 0: no limit")
        ->transform(whole_number())
        ->capture_default_str();
}

namespace {

std::optional<Detail> metric_set(std::string_view word) {
    if (word == "basic") return Detail::basic;
    if (word == "detailed") return Detail::detailed;
    return word == "full" ? std::optional(Detail::full) : std::nullopt;
}

}  // namespace

CLI::Option* add_setting_option(CLI::App& command, std::vector<std::string>& settings) {
    return command
        .add_option("--set", settings,
                    "a number of the GPU that is another there, as l2.bytes=25M or gpu.sm_count=66; may be repeated")
        ->type_name("GROUP.PARAMETER=VALUE")
        ->check(not_empty("a setting"))
        ->expected(1)
        ->take_all();
}

void add_output_options(CLI::App& command, MeasureOptions& options) {
    command
        .add_option("--platform", options.platform,
                    "the GPU that is modelled: a name that `sassafras list` shows, or a JSON file")
        ->capture_default_str();
    add_setting_option(command, options.settings);
    add_json_option(command, options);
    command.add_option("--threads", options.threads, "threads that simulate; the result does not depend on it")
        ->transform(whole_number(1, 1024))
        ->capture_default_str();
}

void add_counting_options(CLI::App& command, MeasureOptions& options) {
    add_output_options(command, options);
    command.add_flag("--csv", options.csv, "print CSV instead of a table");
    add_seed_option(command, options);
    add_instruction_limit(command, options);
}

Detail MeasureOptions::detail() const {
    Detail detail = Detail::basic;
    for (const std::string& word : settings)
        if (has_sets) detail = metric_set(word).value_or(detail);
    return detail;
}

bool MeasureOptions::wants_full_set() const {
    if (const auto metrics = chosen_metrics(selection); metrics && *metrics)
        for (const sim::MetricId metric : **metrics)
            if (row_of(metric).known_by == sim::KnownBy::set) return true;
    return detail() != Detail::basic;
}

bool MeasureOptions::measures_full_set() const {
    const bool has_word = has_sets && std::any_of(settings.begin(), settings.end(), metric_set);
    return wants_full_set() || prints_sections() || (html.is_asked() && !has_word);
}

bool MeasureOptions::prints_sections() const {
    if (!details.latex.empty()) return true;
    const bool has_page = page == "details" || (page == "summary" && !details.sections.empty());
    const bool has_text = (json != "-" && !console->take_json) || !selection.log_file.empty();
    return has_sets && has_page && has_text && selection.metrics.empty() && !selection.is_per_kernel();
}

std::vector<std::string> MeasureOptions::platform_settings() const {
    std::vector<std::string> numbers;
    for (const std::string& word : settings)
        if (!has_sets || !metric_set(word)) numbers.push_back(word);
    return numbers;
}

void describe_sets(CLI::App& command) {
    command.get_option("--set")
        ->description(
            "a set of metrics: basic, detailed (all sections and the tables of memory), full (breakdowns, too); or a "
            "number of the GPU that is another there, as l2.bytes=25M or gpu.sm_count=66; may be repeated")
        ->type_name("SET or GROUP.PARAMETER=VALUE");
}

void add_replay_options(CLI::App& command, MeasureOptions& options) {
    add_device_options(command, options);
    options.has_sets = true;
    describe_sets(command);
    command.add_flag("--csv", options.csv, "print CSV with Nsight Compute's columns instead of a table");
    command.add_option("--page", options.page, "details, raw or source")
        ->check(one_of({"details", "raw", "source"}))
        ->capture_default_str();
    add_source_options(command, options.source);
    add_details_options(command, options.details);
    command
        .add_option("--cache-control", options.cache_control,
                    "all: caches are cold before every launch; none: they stay as they are")
        ->check(one_of({"all", "none"}))
        ->capture_default_str();
    std::vector<std::string> what_ifs;
    for (const sim::WhatIf& what_if : sim::what_ifs()) what_ifs.emplace_back(what_if.name);
    command.add_option("--what-if", options.what_if, "time it without one of its costs: docs/diagnose.md")
        ->check(one_of(what_ifs));
    add_rule_options(command, options);
}

Result<void> check_what_if(const MeasureOptions& options) {
    if (options.device == "simulated") return {};
    return options.given.refuse({"--what-if"}, "it is about time that is simulated", "choose another --device");
}

void add_check_option(CLI::App& command, MeasureOptions& options) {
    command.add_flag(
        "--check", options.check,
        "look for races, illegal accesses, reads of shared memory that nothing wrote and barriers that threads "
        "miss, as compute-sanitizer does; exit status 1 if there are any");
}

void add_sample_options(CLI::App& command, MeasureOptions& options) {
    command.add_flag("--sample", options.sample,
                     "time some waves of blocks of large launches, and some launches of many that are alike, and "
                     "execute the others: metrics that are estimates then have a 95 % interval, results stay exact");
    command
        .add_option("--stop-when", options.stop_when,
                    "with --sample: time more waves of a launch, up to half of it, and more launches of a kind until "
                    "their cycles are known so well, in per cent; by default a few waves, and launches to 2 %")
        ->transform(percentage());
}

Result<void> check_sampling(const MeasureOptions& options) {
    if (!options.sample)
        return options.given.refuse({"--stop-when"}, "all launches are timed", "give --sample, or leave it out");
    if (options.device != "simulated")
        return options.given.refuse({"--sample"}, "only time is sampled, and only a simulated device has it",
                                    "choose --device simulated");
    if (options.given.has("--what-if"))
        return options.given.refuse({"--sample"}, "what-ifs are timed as a whole", "leave --what-if out");
    return {};
}

void add_launches_option(CLI::App& command, MeasureOptions& options) {
    command
        .add_option("--launches", options.launches,
                    "time every N-th launch only, from the I-th: I/N, as one of N processes; they are all that the "
                    "report has. Caches are cold before every launch then")
        ->type_name("I/N")
        ->check(not_empty("a part, as 0/4"));
}

Result<std::optional<Part>> chosen_launches(const MeasureOptions& options) {
    if (options.launches.empty()) return std::optional<Part>();
    auto part = parse_part(options.launches, "--launches");
    if (!part) return part.error();
    if (options.cache_control != "all")
        return Error{ErrorKind::bad_input, "what a launch takes depends on what those before it left in caches",
                     "--launches " + options.launches, "add --cache-control all, which empties them before each"};
    if (options.sample)
        return Error{ErrorKind::bad_input, "what a launch is estimated by is launches of other parts",
                     "--launches " + options.launches, "leave --sample out"};
    return std::optional(*part);
}

void add_measure_options(CLI::App& command, MeasureOptions& options) {
    add_replay_options(command, options);
    add_seed_option(command, options);
    add_instruction_limit(command, options);
}

std::vector<std::string> recorded_command(const std::vector<std::string>& arguments) {
    std::vector<std::string> recorded{"sassafras"};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        const auto names = [&](std::string_view option) {
            return argument == option || argument.starts_with(std::string(option) + "=");
        };
        if (!names("--json") && !names("--threads") && !names("--timeline") && !names("--interval-csv") &&
            !names("--log-file") && !names("--html") && !names("--svg") && !names("--latex"))
            recorded.push_back(argument);
        else if (argument.find('=') == std::string::npos)
            ++i;  // and its value
    }
    return recorded;
}

Result<void> check_outputs(const MeasureOptions& options) {
    if (auto checked = check_source(options); !checked) return checked;
    if (auto checked = check_details(options); !checked) return checked;
    const bool is_printed = options.json == "-" || options.json == "/dev/stdout" || options.json == "/dev/fd/1";
    if (options.csv && is_printed && options.selection.log_file.empty())
        return Error{ErrorKind::bad_input,
                     fmt::format("--csv and --json {} both print to standard output", options.json),
                     fmt::format("--json {} --csv", options.json), "give --json a file, or leave out one of them"};
    if (options.json == "-" && options.page != "source")
        if (auto checked = options.given.refuse({"--page"}, "JSON is all there is to print, and has every metric",
                                                "give --json a file");
            !checked)
            return checked;
    if (auto checked = check_html(options.html); !checked) return checked;
    if (options.json.empty() || options.json == "-") return {};
    auto reserved = reserve_output_file(json_file(options));
    if (!reserved) return reserved.error();
    *options.json_place = std::move(*reserved);
    return {};
}

void print_findings_beside_csv(const Report& report, const MeasureOptions& options) {
    if (!report.findings || !options.csv) return;
    const std::string text = for_terminal(sim::sanitizer_report(*report.findings, report.stopped_early));
    options.console->note(text);
}

std::string report_text(const Report& report, const MeasureOptions& options) {
    if (options.selection.is_per_kernel())
        return options.csv ? kernels_csv(report)
                           : kernels_table(report, shows_all_metrics(options)) + to_totals(report);
    if (wants_source_lines(options)) return source_lines_page(report, options);
    return options.csv ? to_csv(report, options.page_kind()) : to_table(report, options.page_kind());
}

Result<void> deliver(const Report& report, const MeasureOptions& options) {
    print_findings_beside_csv(report, options);
    return deliver([&] { return to_json(report, options.page_kind() == Page::source); },
                   [&] { return report_text(report, options); }, options);
}

Result<int> end_with(const Console& console, std::string_view text) {
    if (auto printed = console.print(for_terminal(text)); !printed) return printed.error();
    return 0;
}

Result<void> deliver(const std::function<std::string()>& json, const std::function<std::string()>& text,
                     const MeasureOptions& options) {
    const bool has_log = !options.selection.log_file.empty();
    if (options.console->take_json) {
        options.console->take_json(json());
        return has_log ? write_log(text(), options) : Result<void>();
    }
    const bool json_on_stdout = options.json == "-";
    Result<void> written;
    if (!options.json.empty() && !json_on_stdout) written = write_output_file(json_file(options), json());
    if (has_log)
        if (auto logged = write_log(text(), options); !logged) return logged;
    if (has_log && !json_on_stdout) return written;
    // What was computed is printed also where the file has no room for it.
    std::string printed = json_on_stdout ? json() : for_terminal(text());
    if (!json_on_stdout && !options.csv) printed = options.console->laid_out(std::move(printed));
    if (auto done = options.console->print(printed); !done) return done;
    return written;
}

void take_results(const sim::Device& device, Report& report, const MeasureOptions& options) {
    report.kernels = device.results();
    if (!options.measures_full_set()) drop_full_set(report);  // rules have asked for it
    report.compute_capability = capability_text(device.compute_capability());
    (void)put_selection(report, options);  // check_selection has parsed it
    if (options.check) report.findings = device.findings();
}

Error end_with_findings(const sim::Device& device, Report& report, const MeasureOptions& options, Error error) {
    if (!options.check || device.findings().empty()) return error;
    take_results(device, report, options);
    // At a fault a GPU would have ended the kernel, too.
    report.stopped_early = error.fault == FaultKind::none || error.fault == FaultKind::runaway;
    set_aside_full_set(report, options);
    if (auto delivered = deliver(report, options); !delivered) return delivered.error();
    return error;
}

int status_of_findings(const Report& report) { return report.findings && !report.findings->empty() ? 1 : 0; }

}  // namespace sassafras::cli
