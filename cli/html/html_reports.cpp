#include "cli/html/html_reports.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/html/html_launches.hpp"
#include "cli/html/html_sources.hpp"
#include "cli/reports/kernel_name.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

/// A text of the JSON that describes what ran; empty if it has none.
std::string word_of(const nlohmann::ordered_json& json, const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

std::string platform_name(const nlohmann::ordered_json& platform) { return word_of(platform, "name"); }

/// "sort mgpu", "saxpy", "./program".
std::string subject_of(const nlohmann::ordered_json& workload) {
    const std::string name = word_of(workload, "name");
    if (name == "launch") return kernel_name(word_of(workload, "kernel"));
    if (name == "exec" && workload.contains("program") && !workload["program"].empty()) {
        const auto program = workload["program"][0].get<std::string>();
        return program.substr(program.rfind('/') + 1);
    }
    const std::string variant = word_of(workload, "variant");
    return variant.empty() ? name : name + " " + variant;
}

const char* verified_text(const std::optional<bool>& verified) { return *verified ? "yes" : "no: the result is wrong"; }

/// The one that takes longest; none if nothing has time.
std::optional<std::size_t> longest_launch(const Report& report) {
    std::optional<std::size_t> longest;
    double most = 0;
    for (std::size_t i = 0; i < report.kernels.size(); ++i) {
        const double time = report.kernels[i].metric("gpu__time_duration.sum"_metric);
        if (time <= most) continue;
        most = time;
        longest = i;
    }
    return longest;
}

void put_totals(const Report& report, HtmlPage& page) {
    page.facts.emplace_back("Launches", grouped(report.kernels.size()));
    if (const auto cycles = report.total("sm__cycles_elapsed.max"_metric))
        page.facts.emplace_back("Cycles of kernels", rounded(*cycles));
    if (const auto time = report.total("gpu__time_duration.sum"_metric)) {
        const Quantity shown = quantity(*time, "ns");
        page.facts.emplace_back("Time of kernels", shown.value + " " + shown.unit);
    }
    if (report.findings) page.facts.emplace_back("Faults found", grouped(report.findings->size()));
}

}  // namespace

HtmlPage page_of(const RunSource& run) {
    const Report& report = run.report;
    HtmlPage page;
    page.title = fmt::format("{} on {}", subject_of(report.workload), report.device);
    page.facts.push_back(command_fact(report.command));
    page.facts.emplace_back("GPU", report.device);
    if (report.verified) page.facts.emplace_back("Verified", verified_text(report.verified));
    put_totals(report, page);
    if (const auto longest = longest_launch(report); longest && !report.rules.empty())
        page.verdict = report.kernels.size() == 1 ? report.rules[*longest].verdict
                                                  : fmt::format("{}: {}", kernel_name(report.kernels[*longest].name),
                                                                report.rules[*longest].verdict);
    if (report.part)
        page.notes.push_back(
            fmt::format("{} of {} launches are here.", grouped(report.kernels.size()), grouped(report.part->all)));
    page.charts = charts_of(run_charts(), run);
    LaunchPages launches = html_launches(run);
    SourcePages sources = html_sources(run, launches.kernels);
    if (launches.left_out > 0)
        page.notes.push_back(
            fmt::format("The {} shortest launches are left out of the list.", grouped(launches.left_out)));
    if (launches.without_details > 0)
        page.notes.push_back(fmt::format(
            "Of the {} shortest launches there is a row and nothing behind it: the page would be too large.",
            grouped(launches.without_details)));
    if (sources.left_out > 0)
        page.notes.push_back(fmt::format("The source of {} kernels is left out.", grouped(sources.left_out)));
    page.launches = std::move(launches.json);
    page.sources = std::move(sources.json);
    return page;
}

HtmlPage page_of(const ConflictReport& report) {
    HtmlPage page;
    page.title = fmt::format("Bank conflicts: {} on {}", subject_of(report.workload), platform_name(report.platform));
    page.facts.push_back(command_fact(report.command));
    if (report.verified) page.facts.emplace_back("Verified", verified_text(report.verified));
    page.facts.emplace_back(
        "Banks", fmt::format("{} of {} bytes", report.summary.geometry.banks, report.summary.geometry.bank_bytes));
    page.facts.emplace_back("Requests", grouped(report.summary.run.requests));
    page.facts.emplace_back("Passes", grouped(report.summary.run.wavefronts));
    page.verdict = fmt::format(
        "A request takes {:.3f} passes in the mean: {:.3f} would do, random accesses would take "
        "{:.3f}.",
        report.summary.run.beta(), report.summary.run.beta_ideal(), report.summary.run.beta_random());
    page.charts = charts_of(conflict_charts(), report);
    return page;
}

HtmlPage page_of(const ValidateReport& report) {
    HtmlPage page;
    page.title = "Validation";
    page.facts.push_back(command_fact(report.command));
    for (const validate::PlatformComparison& platform : report.platforms) {
        page.title += " " + platform.platform;
        page.facts.emplace_back("Runs", fmt::format("{} on {}", platform.runs.size(), platform.platform));
    }
    double sum = 0;
    std::size_t compared = 0;
    for (const validate::PlatformComparison& platform : report.platforms)
        for (const validate::Comparison& run : platform.runs)
            if (run.measured && run.simulated) {
                sum += std::abs(validate::error_percent(*run.simulated, run.measured->cycles));
                ++compared;
            }
    page.verdict = compared == 0 ? "Nothing here was measured on hardware."
                                 : fmt::format("Simulated cycles are off by {:.1f} % in the mean of {} runs.",
                                               sum / static_cast<double>(compared), compared);
    page.charts = charts_of(validate_charts(), report);
    return page;
}

namespace {

HtmlPage estimate_page(const EstimateReport& report) {
    HtmlPage page;
    page.title = fmt::format("Estimate: {} on {}", report.algorithm, report.instance.name);
    page.facts.push_back(command_fact(report.command));
    page.facts.emplace_back("Reading", report.reading);
    page.facts.emplace_back("Counts", report.counts);
    page.notes = report.notes;
    return page;
}

}  // namespace

HtmlPage page_of(const EstimateReport& report) {
    HtmlPage page = estimate_page(report);
    if (report.spt) {
        const Quantity time = quantity(report.spt->seconds * 1e9, "ns");
        page.verdict =
            fmt::format("T is {} cycles, {} {}.", rounded(std::round(report.spt->cycles)), time.value, time.unit);
    }
    page.charts = charts_of(estimate_charts(), report);
    return page;
}

HtmlPage page_of(const SeriesReport& report) {
    HtmlPage page = estimate_page(report.first);
    for (const SeriesRow& row : report.rows)
        if (!row.refused.empty()) page.notes.push_back(row.refused);
    page.charts = charts_of(series_charts(), report);
    return page;
}

std::vector<Chart> figures_of(const RunSource& run) {
    std::vector<Chart> figures = charts_of(run_charts(), run);
    if (run.report.kernels.empty()) return figures;
    const std::size_t longest = longest_launch(run.report).value_or(0);
    for (Chart& chart : charts_of(launch_charts(), LaunchSource{run.report.kernels[longest], run.platform}))
        figures.push_back(std::move(chart));
    return figures;
}

}  // namespace sassafras::cli
