// The pages for people. `details` is laid out as Nsight Compute's: sections, its labels, units of fitting size.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "cli/reports/details_sections.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/rule_text.hpp"
#include "cli/reports/source_rows.hpp"
#include "core/number_text.hpp"
#include "isa/program/program.hpp"
#include "sim/device/sampling/total_interval.hpp"
#include "sim/device/source_columns.hpp"

namespace sassafras::cli {

namespace {

std::string heading(const sim::KernelResult& result, const Report& report) {
    std::string text = fmt::format("  {} {}x{}, {}\n", kernel_name(result.name), extents(result.grid),
                                   extents(result.block), report.device);
    if (!result.sampling) return text;
    if (result.sampling->timed_blocks == 0)
        text += fmt::format("    executed only; its time by {} launches of its kind",
                            grouped(result.sampling->timed_launches));
    else
        text += fmt::format("    sampled: {} of {} blocks timed", grouped(result.sampling->timed_blocks),
                            grouped(result.grid.volume()));
    for (const auto& [metric, low, high] : result.sampling->intervals)
        if (metric == "sm__cycles_elapsed.max"_metric)
            text += fmt::format("; with 95 % confidence {} to {} cycles", grouped(static_cast<std::uint64_t>(low)),
                                grouped(static_cast<std::uint64_t>(high)));
    return text + "\n";
}

std::string table(const std::vector<DetailsLine>& lines, std::size_t name_width) {
    std::size_t unit_width = 15;
    std::size_t value_width = 15;
    for (const DetailsLine& line : lines) {
        name_width = std::max(name_width, line.name.size());
        unit_width = std::max(unit_width, line.unit.size());
        value_width = std::max(value_width, line.value.size());
    }
    const std::string rule =
        fmt::format("    {:-<{}} {:-<{}} {:-<{}}\n", "", name_width, "", unit_width, "", value_width);
    std::string text = rule;
    text += fmt::format("    {:<{}} {:>{}} {:>{}}\n", "Metric Name", name_width, "Metric Unit", unit_width,
                        "Metric Value", value_width);
    text += rule;
    for (const DetailsLine& line : lines)
        text += fmt::format("    {:<{}} {:>{}} {:>{}}\n", line.name, name_width, line.unit, unit_width, line.value,
                            value_width);
    return text + rule;
}

/// Names to the left, numbers to the right, rules between.
std::string table(const DetailsTable& table) {
    std::vector<std::size_t> widths(table.rows.front().size());
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string rule = "   ";
    for (const std::size_t width : widths) rule += " " + std::string(width, '-');
    std::string text = fmt::format("    {}\n{}\n", table.title, rule);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        text += "   ";
        for (std::size_t i = 0; i < widths.size(); ++i)
            text += i < table.left ? fmt::format(" {:<{}}", table.rows[row][i], widths[i])
                                   : fmt::format(" {:>{}}", table.rows[row][i], widths[i]);
        text += row == 0 ? "\n" + rule + "\n" : "\n";
    }
    return text + rule + "\n";
}

std::string details(const sim::KernelResult& result, const sim::MetricSet& metrics, const DetailsView& view,
                    const study::LaunchRules* rules) {
    constexpr std::size_t name_width = 32;
    std::string text;
    for (const DetailsSection& section : details_sections(result, metrics, view)) {
        text += fmt::format("{}    Section: {}\n{}", text.empty() ? "" : "\n", sim::name_of(section.kind),
                            table(section.lines, name_width));
        for (const DetailsTable& one : section.tables) text += "\n" + table(one);
        if (rules != nullptr) text += rules_under(*rules, section.kind);
    }
    return rules == nullptr ? text : wrapped(rules->verdict, 4, 100) + "\n" + text;
}

/// Of --metrics: those alone, by their names, on both pages.
std::string chosen(const sim::KernelResult& result, const std::vector<sim::MetricId>& metrics) {
    std::vector<DetailsLine> lines;
    for (const auto& [metric, value] : shown_metrics(result, metrics)) {
        const std::string name(name_of(metric));
        lines.push_back(value ? details_line(name, *value, row_of(metric).unit)
                              : DetailsLine{name, std::string(row_of(metric).unit), "n/a"});
    }
    return "    Section: Command line profiler metrics\n" + table(lines, 0);
}

/// Every metric by its name.
std::string raw(const sim::KernelResult& result) {
    std::vector<DetailsLine> lines;
    for (const LaunchFact& fact : launch_facts(result))
        lines.push_back(details_line(std::string(name_of(fact.metric)), fact.value, row_of(fact.metric).unit));
    for (const auto& [metric, value] : result.metrics.reported())
        lines.push_back(details_line(std::string(name_of(metric)), value, row_of(metric).unit));
    return table(lines, 0);
}

std::string source(const sim::KernelResult& result) {
    std::string text = fmt::format("    {:>8}", "Address");
    for (const sim::SourceColumn& column : sim::source_columns)
        if (!column.heading.empty()) text += fmt::format(" {:>{}}", column.heading, column.width);
    text += "  Source\n";
    for (const auto& row : without_padding(result.source)) {
        text += fmt::format("    {:>8x}", row.pc);
        for (const sim::SourceColumn& column : sim::source_columns)
            if (!column.heading.empty())
                text += fmt::format(" {:>{}}", grouped(static_cast<std::uint64_t>(column.value(row))), column.width);
        text += "  " + isa::print(row.instruction, row.pc) + "\n";
    }
    return text;
}

std::string page_of(const Report& report, std::size_t index, Page page) {
    const sim::KernelResult& result = report.kernels[index];
    if (report.metrics && page != Page::source) return chosen(result, *report.metrics);
    switch (page) {
        case Page::details:
            return details(result, report.details_of(index), report.view,
                           report.rules.empty() ? nullptr : &report.rules[index]);
        case Page::raw: return raw(result);
        case Page::source: return source(result);
    }
    return {};
}

}  // namespace

std::string to_table(const Report& report, Page page) {
    std::string text;
    for (std::size_t i = 0; i < report.kernels.size(); ++i)
        text += heading(report.kernels[i], report) + page_of(report, i, page) + "\n";
    return text + to_totals(report);
}

std::string register_notes(std::span<const sim::KernelResult> kernels) {
    std::string text;
    std::set<std::string_view> said;
    for (const sim::KernelResult& kernel : kernels) {
        const std::uint32_t most = kernel.most_registers_per_thread;
        if (most == 0 || kernel.registers_per_thread <= most || !said.insert(kernel.name).second) continue;
        text += fmt::format(
            "  note: {} has {} registers a thread, and a thread of this GPU {}: a compiler for it would spill the "
            "others, which is not modelled\n",
            kernel_name(kernel.name), kernel.registers_per_thread, most);
    }
    return text;
}

namespace {

/// How well the cycles are known, if some launches were sampled, and how many were timed.
std::string sampled(const Report& report) {
    const auto half = sim::half_of_total_interval(report.kernels, "sm__cycles_elapsed.max"_metric);
    if (!half) return {};
    std::size_t whole = 0;
    std::size_t in_waves = 0;
    for (const sim::KernelResult& kernel : report.kernels) {
        if (!kernel.sampling)
            ++whole;
        else if (kernel.sampling->timed_blocks != 0)
            ++in_waves;
    }
    return fmt::format(" +- {} with 95 % confidence; launches timed: {} whole, {} in waves of blocks, of {}",
                       rounded(*half), grouped(whole), grouped(in_waves), grouped(report.kernels.size()));
}

}  // namespace

std::string to_totals(const Report& report) {
    std::string text = register_notes(report.kernels);
    if (report.verified) text += fmt::format("  verified: {}\n", *report.verified ? "yes" : "NO");
    text += fmt::format("  kernels: {}\n", grouped(report.kernels.size()));
    if (const auto cycles = report.total("sm__cycles_elapsed.max"_metric); cycles && !report.kernels.empty())
        text += fmt::format("  cycles: {}\n", rounded(*cycles) + sampled(report));
    if (const auto time = report.total("gpu__time_duration.sum"_metric); time && !report.kernels.empty()) {
        const Quantity shown = quantity(*time, "ns");
        text += fmt::format("  time: {} {}\n", shown.value, shown.unit);
    }
    text += fmt::format("  wall time: {:.3f} s", report.wall_seconds);
    if (const auto instructions = report.total("smsp__inst_executed.sum"_metric);
        instructions && *instructions > 0 && report.wall_seconds > 0)
        text += fmt::format(", {:.2f} million warp instructions/s", *instructions / report.wall_seconds * 1e-6);
    text += "\n";
    if (report.findings) text += "\n" + sim::sanitizer_report(*report.findings, report.stopped_early);
    return text;
}

}  // namespace sassafras::cli
