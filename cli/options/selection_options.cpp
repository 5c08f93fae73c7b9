#include "cli/options/selection_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/options/metric_names.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "core/number_text.hpp"
#include "core/printable.hpp"

namespace sassafras::cli {

namespace {

constexpr std::size_t most_names = 20;  ///< of kernels that a warning lists

OutputName log_output(const SelectionOptions& options) { return {options.log_file, "the report", "--log-file"}; }
bool is_channel(const std::string& log_file) { return log_file == "stdout" || log_file == "stderr"; }

Result<void> check_launch_filters(const MeasureOptions& options) {
    const GivenOptions& given = options.given;
    const SelectionOptions& selection = options.selection;
    if (selection.launches.kernel.empty() && selection.launches.kernel_id.empty())
        if (auto checked =
                given.refuse({"--kernel-name-base"}, "no kernel is named", "give --kernel-name or --kernel-id");
            !checked)
            return checked;
    if (selection.launches.ranges.empty())
        if (auto checked = given.refuse({"--nvtx"}, "no range is named", "give --nvtx-include"); !checked)
            return checked;
    if (!selection.selects()) return {};
    const auto selector = sim::LaunchSelector::make(selection.selection());
    if (!selector) return selector.error();
    if (options.device == "cuda")
        return given.refuse({"--kernel-name", "--kernel-id", "--launch-skip", "--launch-skip-before-match",
                             "--launch-count", "--nvtx-include"},
                            "a real GPU times all launches", "choose another --device, or run ncu on the real GPU");
    return given.refuse(
        {"--launches", "--timeline", "--timeline-events", "--timeline-blocks", "--interval", "--interval-csv"},
        "launches are selected, and the others take no time", "leave out the options that select");
}

/// A name for people, as the base has it.
std::string shown_name(const SelectionOptions& options, const std::string& kernel) {
    return for_terminal(sim::name_in(options.selection().base, kernel));
}

}  // namespace

sim::LaunchSelection SelectionOptions::selection() const {
    using Base = sim::LaunchSelection::NameBase;
    sim::LaunchSelection selection = launches;
    selection.base = base == "mangled" ? Base::mangled : base == "demangled" ? Base::demangled : Base::function;
    return selection;
}

void add_selection_options(CLI::App& command, SelectionOptions& options) {
    sim::LaunchSelection& launches = options.launches;
    command
        .add_option("-k,--kernel-name", launches.kernel,
                    "measure launches of this kernel only, or regex:EXPRESSION; others are executed")
        ->type_name("NAME")
        ->check(not_empty("a kernel's name, or regex:EXPRESSION"));
    command
        .add_option("--kernel-name-base", options.base,
                    "what names of kernels are compared with: function (its own name alone), demangled, mangled")
        ->check(one_of({"function", "demangled", "mangled"}))
        ->capture_default_str();
    command
        .add_option("--kernel-id", launches.kernel_id,
                    "measure these launches only: ::NAME:2 for the second of NAME, ::regex:EXPRESSION:, 1:13:: for a "
                    "stream; each part may be empty")
        ->type_name("CONTEXT:STREAM:NAME:INVOCATION")
        ->check(not_empty("context:stream:name:invocation"));
    command.add_option("-s,--launch-skip", launches.skip, "of the launches that match, leave out so many first")
        ->transform(whole_number());
    command
        .add_option("--launch-skip-before-match", launches.skip_before,
                    "leave out so many launches first, whether they match or not")
        ->transform(whole_number());
    command.add_option("-c,--launch-count", launches.count, "measure so many launches at most")
        ->transform(whole_number());
    command
        .add_option(
            "--print-summary", options.summary,
            "per-kernel: a row a kernel, with least, mean and greatest values of its launches; none: all launches")
        ->check(one_of({"none", "per-kernel"}))
        ->capture_default_str();
}

void add_nvtx_options(CLI::App& command, SelectionOptions& options) {
    command.add_flag("--nvtx", options.nvtx, "take the program's NVTX ranges; --nvtx-include alone does so, too");
    command
        .add_option("--nvtx-include", options.launches.ranges,
                    "measure launches inside this NVTX range only; NAME/ if it is pushed, DOMAIN@NAME of another "
                    "domain, A,B inside both; may be repeated")
        ->type_name("RANGE")
        ->check(not_empty("a range's name"))
        ->expected(1)
        ->take_all();
}

void add_metrics_options(CLI::App& command, SelectionOptions& options) {
    command
        .add_option("--metrics", options.metrics,
                    "report these metrics only: names with commas between, without their last part for all of it, or "
                    "regex:EXPRESSION; docs/metrics.md lists them")
        ->type_name("NAMES")
        ->check(not_empty("names of metrics"));
    command.add_option("--log-file", options.log_file, "write the report to this file, or to stdout or stderr")
        ->type_name("FILE")
        ->check(not_empty("a file, stdout or stderr"));
}

Result<std::optional<std::vector<sim::MetricId>>> chosen_metrics(const SelectionOptions& options) {
    if (options.metrics.empty()) return std::optional<std::vector<sim::MetricId>>();
    auto metrics = parse_metrics(options.metrics);
    if (!metrics) return metrics.error();
    return std::optional(std::move(*metrics));
}

Result<void> check_selection(const MeasureOptions& options) {
    const SelectionOptions& selection = options.selection;
    if (auto checked = check_launch_filters(options); !checked) return checked;
    if (options.page == "source")
        if (auto checked = options.given.refuse({"--metrics", "--print-summary"},
                                                "--page source has columns of its own, by instruction");
            !checked)
            return checked;
    if (options.page == "summary" && !selection.metrics.empty())
        if (auto checked = options.given.refuse({"--page"}, "metrics by name have no columns in the summary",
                                                "choose details or raw, or add --print-summary per-kernel");
            !checked)
            return checked;
    if (options.apply_rules == "yes" && (!selection.metrics.empty() || selection.is_per_kernel()))
        if (auto checked = options.given.refuse({"--apply-rules"}, "there are no sections that rules stand under",
                                                "leave out --metrics and --print-summary");
            !checked)
            return checked;
    if (auto metrics = chosen_metrics(selection); !metrics) return metrics.error();
    if (selection.log_file.empty() || is_channel(selection.log_file)) return {};
    auto reserved = reserve_output_file(log_output(selection));
    if (!reserved) return reserved.error();
    *selection.log_place = std::move(*reserved);
    return {};
}

bool has_cold_caches(const MeasureOptions& options) {
    return options.cache_control == "all" || (options.selection.selects() && !options.given.has("--cache-control"));
}

bool times_unselected(const MeasureOptions& options) {
    return options.selection.selects() && !has_cold_caches(options);
}

bool shows_all_metrics(const MeasureOptions& options) {
    return options.given.has("--page") && options.page != "summary";
}

Result<void> put_selection(Report& report, const MeasureOptions& options, const std::vector<std::string>& failed) {
    report.is_per_kernel = options.selection.is_per_kernel();
    auto metrics = chosen_metrics(options.selection);
    if (!metrics) return metrics.error();
    report.metrics = std::move(*metrics);
    if (!options.selection.selects()) return {};
    std::vector<std::string> names;
    const auto list = [&](const std::string& kernel) {
        if (std::string name = shown_name(options.selection, kernel);
            std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(std::move(name));
    };
    for (const sim::KernelResult& kernel : report.kernels) list(kernel.name);
    for (const std::string& kernel : failed) list(kernel);
    keep_part(report, std::nullopt);
    if (!report.kernels.empty()) return {};
    // A launch that failed has no place in the report, also if it is the one that is selected.
    std::string text =
        failed.empty()
            ? fmt::format("sassafras: warning: No kernels were profiled: of {} launches none is selected.\n",
                          grouped(report.part->all))
            : fmt::format(
                  "sassafras: warning: No kernels were profiled: of {} launches that ended none is selected, "
                  "and {} failed.\n",
                  grouped(report.part->all), grouped(failed.size()));
    if (!names.empty()) text += "Available Kernels:\n";
    for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i)
        text += fmt::format("  {}. {}\n", i + 1, names[i]);
    if (names.size() > most_names) text += fmt::format("  and {} more\n", names.size() - most_names);
    options.console->note(text);
    return {};
}

Result<void> write_log(const std::string& text, const MeasureOptions& options) {
    const std::string& file = options.selection.log_file;
    if (file == "stdout") return options.console->print(for_terminal(text));
    if (file != "stderr") return write_output_file(log_output(options.selection), text);
    options.console->note(for_terminal(text));
    return {};
}

}  // namespace sassafras::cli
