#include <fmt/format.h>

#include <algorithm>

#include "cli/reports/csv_row.hpp"
#include "cli/reports/details_sections.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/source_rows.hpp"
#include "isa/program/program.hpp"
#include "sim/device/source_columns.hpp"

namespace sassafras::cli {

namespace {

const std::vector<std::string> launch_columns{"ID",      "Process ID", "Process Name", "Host Name", "Kernel Name",
                                              "Context", "Stream",     "Block Size",   "Grid Size", "Device",
                                              "CC"};

/// There is no process or host here that would tell a reader anything; their columns stay for scripts that
/// count.
std::vector<std::string> launch_fields(std::size_t id, const sim::KernelResult& result, const Report& report) {
    return {fmt::format("{}", id),
            "0",
            "sassafras",
            report.device,
            kernel_name(result.name),
            fmt::format("{}", sim::only_context),
            fmt::format("{}", result.stream),
            extents(result.block),
            extents(result.grid),
            "0",
            report.compute_capability};
}

const std::vector<std::string> rule_columns{"Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type",
                                            "Estimated Speedup"};

/// From the section's column on; without a metric. Nsight Compute names sections of rules by their identifiers.
std::vector<std::string> rule_fields(const study::RuleFinding& finding) {
    const bool is_estimated = finding.saved_percent.has_value();
    return {std::string(sim::section_identifiers[static_cast<std::size_t>(finding.section)]),
            "",
            "",
            "",
            std::string(finding.rule),
            std::string(study::text_of(finding.kind)),
            finding.text,
            is_estimated ? "global" : "",
            is_estimated ? fmt::format("{:.4g}", *finding.saved_percent) : ""};
}

/// Section, name, unit and value, as Nsight Compute has them: of --metrics by name and exact, else as the page shows
/// it.
std::vector<std::vector<std::string>> details_fields(std::size_t id, const Report& report) {
    const sim::KernelResult& kernel = report.kernels[id];
    std::vector<std::vector<std::string>> fields;
    if (report.metrics)
        for (const auto& [metric, value] : shown_metrics(kernel, report.metrics))
            fields.push_back({"Command line profiler metrics", std::string(name_of(metric)),
                              std::string(row_of(metric).unit), value ? number_text(*value) : "n/a"});
    else
        for (const DetailsSection& section : details_sections(kernel, report.details_of(id), report.view))
            for (const DetailsLine& line : section.lines)
                fields.push_back({std::string(sim::name_of(section.kind)), line.name, line.unit, line.value});
    return fields;
}

std::string details(const Report& report) {
    CsvRow titles =
        CsvRow().add_all(launch_columns).add_all({"Section Name", "Metric Name", "Metric Unit", "Metric Value"});
    if (!report.rules.empty()) titles.add_all(rule_columns);
    std::string text = titles.line();
    for (std::size_t id = 0; id < report.kernels.size(); ++id) {
        const std::vector<std::string> launch = launch_fields(id, report.kernels[id], report);
        for (const std::vector<std::string>& metric : details_fields(id, report)) {
            CsvRow row;
            row.add_all(launch).add_all(metric);
            if (!report.rules.empty()) row.add_all(std::vector<std::string>(rule_columns.size()));
            text += row.line();
        }
        if (report.rules.empty()) continue;
        for (const study::RuleFinding& finding : report.rules[id].findings)
            text += CsvRow().add_all(launch).add_all(rule_fields(finding)).line();
    }
    return text;
}

std::string raw(const Report& report) {
    std::vector<sim::MetricId> metrics = report.metrics.value_or(std::vector<sim::MetricId>());
    if (!report.metrics)
        for (const auto& result : report.kernels)
            for (const auto& [metric, value] : result.metrics.reported())
                if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) metrics.push_back(metric);
    std::sort(metrics.begin(), metrics.end());
    std::vector<std::string> names;
    for (const sim::MetricId metric : metrics) names.emplace_back(name_of(metric));
    std::vector<LaunchFact> facts;  // in columns of their own, if no launch has them as metrics
    if (!report.metrics && !report.kernels.empty()) facts = launch_facts(report.kernels.front());
    CsvRow titles;
    titles.add_all(launch_columns);
    for (const LaunchFact& fact : facts) titles.add(std::string(name_of(fact.metric)));
    std::string text = titles.add_all(names).line();
    CsvRow units;
    for (std::size_t i = 0; i < launch_columns.size(); ++i) units.add("");
    for (const LaunchFact& fact : facts) units.add(std::string(row_of(fact.metric).unit));
    for (const sim::MetricId metric : metrics) units.add(std::string(row_of(metric).unit));
    text += units.line();
    for (std::size_t id = 0; id < report.kernels.size(); ++id) {
        const auto& result = report.kernels[id];
        CsvRow row;
        row.add_all(launch_fields(id, result, report));
        if (!facts.empty())
            for (const LaunchFact& fact : launch_facts(result)) row.add(number_text(fact.value));
        for (const sim::MetricId metric : metrics) {
            const auto value = result.metrics.find(metric);
            row.add(value ? number_text(*value) : report.metrics ? "n/a" : std::string());
        }
        text += row.line();
    }
    return text;
}

/// Reasons that occur, as they do first.
std::vector<std::size_t> reasons_of(const sim::KernelResult& result) {
    std::vector<std::size_t> reasons;
    for (const auto& row : result.source)
        for (std::size_t reason = 0; reason < sim::stall_count; ++reason)
            if (row.stalls[reason] != 0 && std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
                reasons.push_back(reason);
    return reasons;
}

std::string source(const Report& report) {
    std::string text;
    for (const auto& result : report.kernels) {
        const std::vector<std::size_t> reasons = reasons_of(result);
        std::vector<std::string> reason_names;
        for (const std::size_t reason : reasons)
            reason_names.push_back("stall_" + std::string(sim::stall_rows[reason].name));
        text += CsvRow().add("Kernel Name").add(kernel_name(result.name)).line();
        CsvRow titles;
        titles.add_all({"#", "Address", "Source"});
        for (const sim::SourceColumn& column : sim::source_columns) titles.add(std::string(column.title));
        text += titles.add_all(reason_names).line();
        const auto rows = without_padding(result.source);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& row = rows[i];
            CsvRow line;
            line.add(i).add(fmt::format("{:#x}", row.pc)).add(isa::print(row.instruction, row.pc));
            for (const sim::SourceColumn& column : sim::source_columns) line.add(number_text(column.value(row)));
            for (const std::size_t reason : reasons) line.add(row.stalls[reason]);
            text += line.line();
        }
    }
    return text;
}

}  // namespace

std::string to_csv(const Report& report, Page page) {
    switch (page) {
        case Page::details: return details(report);
        case Page::raw: return raw(report);
        case Page::source: return source(report);
    }
    return {};
}

}  // namespace sassafras::cli
