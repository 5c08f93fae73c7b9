// The pages for people. `details` is laid out as Nsight Compute's: sections, its labels, units of fitting size.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/reports/report.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

struct Line {
    std::string name, unit, value;
};

struct Label {
    std::string_view section, name, metric;
};

constexpr std::string_view stall_prefix = "smsp__average_warps_issue_stalled_";
constexpr std::string_view stall_suffix = "_per_issue_active.ratio";

/// Nsight Compute's sections and labels, in the order in which they are shown.
constexpr std::array<Label, 18> labels{{
    {"GPU Speed Of Light", "Elapsed Cycles", "sm__cycles_elapsed.max"},
    {"GPU Speed Of Light", "Duration", "gpu__time_duration.sum"},
    {"GPU Speed Of Light", "SM Active Cycles", "sm__cycles_active.avg"},
    {"Compute Workload Analysis", "Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active"},
    {"Compute Workload Analysis", "Executed Warp Instructions", "smsp__inst_executed.sum"},
    {"Compute Workload Analysis", "Executed Thread Instructions", "smsp__thread_inst_executed.sum"},
    {"Memory Workload Analysis", "L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    {"Memory Workload Analysis", "Global Load Sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"Memory Workload Analysis", "Global Store Sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"Memory Workload Analysis", "Shared Wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"},
    {"Memory Workload Analysis", "Shared Bank Conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"},
    {"Memory Workload Analysis", "L2 Read Hit Rate", "lts__t_sector_op_read_hit_rate.pct"},
    {"Memory Workload Analysis", "L2 Read Sectors", "lts__t_sectors_op_read.sum"},
    {"Memory Workload Analysis", "L2 Write Sectors", "lts__t_sectors_op_write.sum"},
    {"Memory Workload Analysis", "DRAM Read", "dram__bytes_read.sum"},
    {"Memory Workload Analysis", "DRAM Write", "dram__bytes_write.sum"},
    {"Occupancy", "Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    {"Occupancy", "Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
}};

std::string heading(const sim::KernelResult& result, const Report& report) {
    return fmt::format("  {} {}x{}, {}\n", result.name, extents(result.grid), extents(result.block), report.device);
}

Line quantity_line(std::string name, double value, const std::string& unit) {
    // Nsight Compute's older name, which the CSV keeps, has no larger units here.
    Quantity shown = quantity(value, unit == "nsecond" ? "ns" : unit);
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
    std::string name;
    std::vector<Line> lines;
};

/// "Stall Long Scoreboard" for the reason long_scoreboard.
std::string stall_label(std::string_view metric) {
    std::string label = "Stall ";
    bool capital = true;
    for (const char c : metric.substr(stall_prefix.size(), metric.size() - stall_prefix.size() - stall_suffix.size())) {
        label += c == '_' ? ' ' : capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        capital = c == '_';
    }
    return label;
}

std::vector<Line> stall_lines(const sim::KernelResult& result) {
    std::vector<std::pair<std::string, double>> stalls;
    for (const auto& [name, value] : result.metrics)
        if (name.starts_with(stall_prefix) && value != 0) stalls.emplace_back(stall_label(name), value);
    std::stable_sort(stalls.begin(), stalls.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<Line> lines;
    lines.reserve(stalls.size());
    for (const auto& [name, value] : stalls) lines.push_back({name, "warp/issue", rounded(value)});
    return lines;
}

std::vector<Section> sections(const sim::KernelResult& result) {
    std::vector<Section> all;
    for (const Label& label : labels) {
        const auto found = std::find_if(result.metrics.begin(), result.metrics.end(),
                                        [&](const auto& metric) { return metric.first == label.metric; });
        if (found == result.metrics.end()) continue;
        if (all.empty() || all.back().name != label.section) all.push_back({std::string(label.section), {}});
        all.back().lines.push_back(quantity_line(std::string(label.name), found->second, metric_unit(found->first)));
    }
    if (auto stalls = stall_lines(result); !stalls.empty()) all.push_back({"Warp State Statistics", std::move(stalls)});
    all.push_back({"Launch Statistics", launch_lines(result)});
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

std::string details(const sim::KernelResult& result) {
    constexpr std::size_t name_width = 32;
    std::string text;
    for (const Section& section : sections(result))
        text += fmt::format("{}    Section: {}\n{}", text.empty() ? "" : "\n", section.name,
                            table(section.lines, name_width));
    return text;
}

/// Every metric by its name.
std::string raw(const sim::KernelResult& result) {
    std::vector<Line> lines = launch_lines(result);
    for (const auto& [name, value] : result.metrics) lines.push_back(quantity_line(name, value, metric_unit(name)));
    return table(lines, 0);
}

std::string source(const sim::KernelResult& result) {
    std::string text = fmt::format("    {:>8} {:>15} {:>17} {:>14} {:>14} {:>14}  {}\n", "Address", "Inst Executed",
                                   "Thread Inst", "Shared Wvfr", "Shared Ideal", "Gl. Sectors", "Source");
    for (const auto& row : result.source)
        text += fmt::format("    {:>8x} {:>15} {:>17} {:>14} {:>14} {:>14}  {}\n", row.pc, grouped(row.inst_executed),
                            grouped(row.thread_inst_executed), grouped(row.shared_wavefronts),
                            grouped(row.shared_wavefronts_ideal), grouped(row.global_sectors), row.sass);
    return text;
}

std::string page_of(const sim::KernelResult& result, Page page) {
    switch (page) {
        case Page::details: return details(result);
        case Page::raw: return raw(result);
        case Page::source: return source(result);
    }
    return {};
}

}  // namespace

std::string to_table(const Report& report, Page page) {
    std::string text;
    for (const auto& result : report.kernels) text += heading(result, report) + page_of(result, page) + "\n";
    return text + to_totals(report);
}

std::string to_totals(const Report& report) {
    std::string text;
    if (report.verified) text += fmt::format("  verified: {}\n", *report.verified ? "yes" : "NO");
    text += fmt::format("  kernels: {}\n", grouped(report.kernels.size()));
    if (const auto cycles = report.total("sm__cycles_elapsed.max"); cycles && !report.kernels.empty())
        text += fmt::format("  cycles: {}\n", rounded(*cycles));
    if (const auto time = report.total("gpu__time_duration.sum"); time && !report.kernels.empty()) {
        const Quantity shown = quantity(*time, "ns");
        text += fmt::format("  time: {} {}\n", shown.value, shown.unit);
    }
    text += fmt::format("  wall time: {:.3f} s", report.wall_seconds);
    if (const auto instructions = report.total("smsp__inst_executed.sum");
        instructions && *instructions > 0 && report.wall_seconds > 0)
        text += fmt::format(", {:.2f} million warp instructions/s", *instructions / report.wall_seconds * 1e-6);
    text += "\n";
    if (report.findings) text += "\n" + sim::sanitizer_report(*report.findings);
    return text;
}

}  // namespace sassafras::cli
