// The pages for people. `details` is laid out as Nsight Compute's: sections, its labels, units of fitting size.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/rule_text.hpp"
#include "core/number_text.hpp"
#include "isa/program/program.hpp"
#include "sim/device/sampling/total_interval.hpp"
#include "sim/device/source_columns.hpp"

namespace sassafras::cli {

namespace {

struct Line {
    std::string name, unit, value;
};

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

Line quantity_line(std::string name, double value, std::string_view unit) {
    // Nsight Compute's older name, which the CSV keeps, has no larger units here.
    Quantity shown = quantity(value, unit == "nsecond" ? "ns" : std::string(unit));
    return {std::move(name), std::move(shown.unit), std::move(shown.value)};
}

std::vector<Line> launch_lines(const sim::KernelResult& result) {
    const auto count = [](const char* name, std::uint64_t value, const char* unit) {
        return Line{name, unit, grouped(value)};
    };
    return {count("Blocks", result.grid.volume(), "block"), count("Threads Per Block", result.block.volume(), "thread"),
            count("Registers Per Thread", result.registers_per_thread, "register/thread"),
            count("Static Shared Memory Per Block", result.static_shared.count, "byte/block"),
            count("Dynamic Shared Memory Per Block", result.dynamic_shared.count, "byte/block")};
}

struct Section {
    sim::Section kind;
    std::vector<Line> lines;
};

/// What warps did most comes first; what they never did is left out.
std::vector<Line> warp_state_lines(const std::vector<std::pair<sim::MetricId, double>>& metrics) {
    std::vector<std::pair<sim::MetricId, double>> states;
    for (const auto& metric : metrics)
        if (row_of(metric.first).details.section == sim::Section::warp_state && metric.second != 0)
            states.push_back(metric);
    std::stable_sort(states.begin(), states.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<Line> lines;
    lines.reserve(states.size());
    for (const auto& [metric, value] : states) {
        const sim::DetailsPlace& place = row_of(metric).details;
        lines.push_back({std::string(place.label), std::string(place.unit), rounded(value)});
    }
    return lines;
}

std::vector<Section> sections(const sim::KernelResult& result) {
    auto metrics = result.metrics.reported();
    std::stable_sort(metrics.begin(), metrics.end(), [](const auto& a, const auto& b) {
        const sim::DetailsPlace& left = row_of(a.first).details;
        const sim::DetailsPlace& right = row_of(b.first).details;
        return std::pair(left.section, left.position) < std::pair(right.section, right.position);
    });
    std::vector<Section> all;
    for (const auto& [metric, value] : metrics) {
        const sim::DetailsPlace& place = row_of(metric).details;
        if (place.section == sim::Section::none || place.section == sim::Section::warp_state) continue;
        if (all.empty() || all.back().kind != place.section) all.push_back({place.section, {}});
        all.back().lines.push_back(quantity_line(std::string(place.label), value, row_of(metric).unit));
    }
    if (auto states = warp_state_lines(metrics); !states.empty())
        all.push_back({sim::Section::warp_state, std::move(states)});
    constexpr auto launch = sim::Section::launch;
    const auto shown = std::find_if(all.begin(), all.end(), [&](const Section& one) { return one.kind == launch; });
    Section& target = shown == all.end() ? all.emplace_back(Section{launch, {}}) : *shown;
    for (Line& line : launch_lines(result)) target.lines.push_back(std::move(line));
    return all;
}

std::string table(const std::vector<Line>& lines, std::size_t name_width) {
    std::size_t unit_width = 15;
    std::size_t value_width = 15;
    for (const Line& line : lines) {
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
    for (const Line& line : lines)
        text += fmt::format("    {:<{}} {:>{}} {:>{}}\n", line.name, name_width, line.unit, unit_width, line.value,
                            value_width);
    return text + rule;
}

std::string details(const sim::KernelResult& result, const study::LaunchRules* rules) {
    constexpr std::size_t name_width = 32;
    std::string text;
    for (const Section& section : sections(result)) {
        text +=
            fmt::format("{}    Section: {}\n{}", text.empty() ? "" : "\n",
                        sim::section_names[static_cast<std::size_t>(section.kind)], table(section.lines, name_width));
        if (rules != nullptr) text += rules_under(*rules, section.kind);
    }
    return rules == nullptr ? text : wrapped(rules->verdict, 4, 100) + "\n" + text;
}

/// Of --metrics: those alone, by their names, on both pages.
std::string chosen(const sim::KernelResult& result, const std::vector<sim::MetricId>& metrics) {
    std::vector<Line> lines;
    for (const auto& [metric, value] : shown_metrics(result, metrics)) {
        const std::string name(name_of(metric));
        lines.push_back(value ? quantity_line(name, *value, row_of(metric).unit)
                              : Line{name, std::string(row_of(metric).unit), "n/a"});
    }
    return "    Section: Command line profiler metrics\n" + table(lines, 0);
}

/// Every metric by its name.
std::string raw(const sim::KernelResult& result) {
    std::vector<Line> lines = launch_lines(result);
    for (const auto& [metric, value] : result.metrics.reported())
        lines.push_back(quantity_line(std::string(name_of(metric)), value, row_of(metric).unit));
    return table(lines, 0);
}

std::string source(const sim::KernelResult& result) {
    std::string text = fmt::format("    {:>8}", "Address");
    for (const sim::SourceColumn& column : sim::source_columns)
        if (!column.heading.empty()) text += fmt::format(" {:>{}}", column.heading, column.width);
    text += "  Source\n";
    for (const auto& row : result.source) {
        text += fmt::format("    {:>8x}", row.pc);
        for (const sim::SourceColumn& column : sim::source_columns)
            if (!column.heading.empty())
                text += fmt::format(" {:>{}}", grouped(static_cast<std::uint64_t>(column.value(row))), column.width);
        text += "  " + isa::print(row.instruction, row.pc) + "\n";
    }
    return text;
}

std::string page_of(const sim::KernelResult& result, const Report& report, Page page, const study::LaunchRules* rules) {
    if (report.metrics && page != Page::source) return chosen(result, *report.metrics);
    switch (page) {
        case Page::details: return details(result, rules);
        case Page::raw: return raw(result);
        case Page::source: return source(result);
    }
    return {};
}

}  // namespace

std::string to_table(const Report& report, Page page) {
    std::string text;
    for (std::size_t i = 0; i < report.kernels.size(); ++i)
        text += heading(report.kernels[i], report) +
                page_of(report.kernels[i], report, page, report.rules.empty() ? nullptr : &report.rules[i]) + "\n";
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
