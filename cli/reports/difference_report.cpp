#include "cli/reports/difference_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

using study::LaunchDifference;
using study::MeasuredLaunch;
using study::MeasuredReport;
using study::MetricChange;

constexpr std::size_t longest_shown_name = 80;

std::string short_kernel(const MeasuredLaunch& launch) {
    const std::string name = kernel_name(launch.demangled);
    return name.size() <= longest_shown_name ? name : name.substr(0, longest_shown_name - 3) + "...";
}

std::string known_extents(const std::optional<Dim3>& size) { return size ? extents(*size) : "(?)"; }

std::string change_text(const std::optional<double>& percent) {
    if (!percent) return "from 0";
    if (std::abs(*percent) >= 1e6) return fmt::format("{:+.2e} %", *percent);
    return fmt::format("{:+.2f} %", *percent);
}

std::string who_measured(const MeasuredReport& report) {
    std::string text = report.profiler;
    if (!report.page.empty()) text += ", page " + report.page;
    return report.device.empty() ? text : text + ", " + report.device;
}

std::string launch_title(const DifferenceReport& report, const LaunchDifference& launch) {
    const MeasuredLaunch& a = report.a.launches[launch.pair.a];
    const MeasuredLaunch& b = report.b.launches[launch.pair.b];
    std::string text = fmt::format("  {} of A, {} of B: {}\n", launch.pair.a, launch.pair.b, short_kernel(a));
    if (!launch.pair.is_same_kernel) text += fmt::format("    another kernel in B: {}\n", short_kernel(b));
    if (!launch.is_same_shape)
        text += fmt::format("    grid {} and block {} in A, {} and {} in B\n", known_extents(a.grid),
                            known_extents(a.block), known_extents(b.grid), known_extents(b.block));
    return text;
}

std::string counts_text(const DifferenceReport& report, const LaunchDifference& launch) {
    std::vector<std::string> parts{fmt::format("{} metrics are equal", launch.equal)};
    if (launch.below != 0)
        parts.push_back(fmt::format("{} change by up to {:g} %", launch.below, report.threshold_percent));
    if (!launch.only_a.empty()) parts.push_back(fmt::format("{} are only in A", launch.only_a.size()));
    if (!launch.only_b.empty()) parts.push_back(fmt::format("{} are only in B", launch.only_b.size()));
    if (!launch.other_unit.empty())
        parts.push_back(fmt::format("other units in {}", fmt::join(launch.other_unit, ", ")));
    return fmt::format("    {}\n", fmt::join(parts, ", "));
}

std::string launch_table(const DifferenceReport& report, const LaunchDifference& launch) {
    std::string text = launch_title(report, launch);
    std::vector<std::vector<std::string>> rows{{"Metric", "Unit", "A", "B", "Change"}};
    const std::size_t all = launch.changes.size();
    const std::size_t shown = report.most_rows == 0 ? all : std::min(report.most_rows, all);
    for (std::size_t i = 0; i < shown; ++i) {
        const MetricChange& change = launch.changes[i];
        rows.push_back({change.name, change.unit, rounded(change.a), rounded(change.b), change_text(change.percent)});
    }
    if (rows.size() > 1) text += aligned(rows, 2);
    if (shown < all) text += fmt::format("    and {} smaller changes: --top 0 shows all\n", all - shown);
    return text + counts_text(report, launch);
}

std::string lone_launches(const char* which, const MeasuredReport& report, const std::vector<std::size_t>& numbers) {
    std::string text;
    for (const std::size_t number : numbers)
        text += fmt::format("  only in {}: launch {}, {}\n", which, number, short_kernel(report.launches[number]));
    return text;
}

}  // namespace

bool DifferenceReport::fails() const {
    if (!fail_above_percent) return false;
    return difference.largest_percent > *fail_above_percent || !difference.only_a.empty() || !difference.only_b.empty();
}

std::string to_table(const DifferenceReport& report) {
    std::string text = fmt::format("  A: {} ({})\n  B: {} ({})\n", report.a.file, who_measured(report.a), report.b.file,
                                   who_measured(report.b));
    for (const LaunchDifference& launch : report.difference.launches) text += "\n" + launch_table(report, launch);
    const std::string lone =
        lone_launches("A", report.a, report.difference.only_a) + lone_launches("B", report.b, report.difference.only_b);
    if (!lone.empty()) text += "\n" + lone;
    if (report.fails())
        text += fmt::format("\n  {}\n", report.difference.largest_percent > *report.fail_above_percent
                                            ? fmt::format("a change is above {:g} %", *report.fail_above_percent)
                                            : "a launch is in one report only");
    return text;
}

std::string to_csv(const DifferenceReport& report) {
    std::string text =
        csv_line({"Launch A", "Launch B", "Kernel A", "Kernel B", "Metric Name", "Metric Unit", "A", "B", "Change %"});
    for (const LaunchDifference& launch : report.difference.launches) {
        const MeasuredLaunch& a = report.a.launches[launch.pair.a];
        const MeasuredLaunch& b = report.b.launches[launch.pair.b];
        const std::vector<std::string> head{std::to_string(launch.pair.a), std::to_string(launch.pair.b),
                                            kernel_name(a.demangled), kernel_name(b.demangled)};
        const auto add = [&](const std::vector<std::string>& fields) {
            std::vector<std::string> row = head;
            row.insert(row.end(), fields.begin(), fields.end());
            text += csv_line(row);
        };
        for (const MetricChange& change : launch.changes)
            add({change.name, change.unit, number_text(change.a), number_text(change.b),
                 change.percent ? number_text(*change.percent) : "inf"});
        for (const std::string& name : launch.only_a)
            add({name, a.find(name)->unit, number_text(a.find(name)->value), "", ""});
        for (const std::string& name : launch.only_b)
            add({name, b.find(name)->unit, "", number_text(b.find(name)->value), ""});
    }
    for (const std::size_t i : report.difference.only_a)
        text += csv_line({std::to_string(i), "", kernel_name(report.a.launches[i].demangled), "", "", "", "", "", ""});
    for (const std::size_t i : report.difference.only_b)
        text += csv_line({"", std::to_string(i), "", kernel_name(report.b.launches[i].demangled), "", "", "", "", ""});
    return text;
}

}  // namespace sassafras::cli
