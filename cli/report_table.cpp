#include <fmt/format.h>

#include <algorithm>

#include "cli/report.hpp"

namespace sassafras::cli {

namespace {

std::string extents(const Dim3& e) { return fmt::format("({}, {}, {})", e.x, e.y, e.z); }

std::string heading(const sim::KernelResult& result, const Report& report) {
    return fmt::format("  {} {}x{}, {}\n", result.name, extents(result.grid), extents(result.block), report.device);
}

std::string metric_rows(const sim::KernelResult& result) {
    struct Line {
        std::string name, unit, value;
    };
    std::vector<Line> lines{
        {"Registers Per Thread", "register/thread", fmt::format("{}", result.registers_per_thread)},
        {"Static Shared Memory Per Block", "byte/block", fmt::format("{}", result.static_shared.count)},
        {"Dynamic Shared Memory Per Block", "byte/block", fmt::format("{}", result.dynamic_shared.count)}};
    for (const auto& [name, value] : result.metrics) lines.push_back({name, metric_unit(name), number_text(value)});
    std::size_t name_width = 11;
    std::size_t unit_width = 11;
    std::size_t value_width = 12;
    for (const auto& line : lines) {
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
    for (const auto& line : lines)
        text += fmt::format("    {:<{}} {:>{}} {:>{}}\n", line.name, name_width, line.unit, unit_width, line.value,
                            value_width);
    text += rule;
    return text;
}

std::string source_rows(const sim::KernelResult& result) {
    std::string text = fmt::format("    {:>8} {:>13} {:>15} {:>12} {:>12} {:>12}  {}\n", "Address", "Inst Executed",
                                   "Thread Inst", "Shared Wvfr", "Shared Ideal", "Gl. Sectors", "Source");
    for (const auto& row : result.source)
        text += fmt::format("    {:>8x} {:>13} {:>15} {:>12} {:>12} {:>12}  {}\n", row.pc, row.inst_executed,
                            row.thread_inst_executed, row.shared_wavefronts, row.shared_wavefronts_ideal,
                            row.global_sectors, row.sass);
    return text;
}

}  // namespace

std::string to_table(const Report& report, Page page) {
    std::string text;
    for (const auto& result : report.kernels) {
        text += heading(result, report);
        text += page == Page::source ? source_rows(result) : metric_rows(result);
        text += "\n";
    }
    if (report.verified) text += fmt::format("  verified: {}\n", *report.verified ? "yes" : "NO");
    text += fmt::format("  kernels: {}\n", report.kernels.size());
    if (const auto cycles = report.total("sm__cycles_elapsed.max"); cycles && !report.kernels.empty())
        text += fmt::format("  cycles: {}\n", number_text(*cycles));
    if (const auto time = report.total("gpu__time_duration.sum"); time && !report.kernels.empty())
        text += fmt::format("  time: {} ns\n", number_text(*time));
    text += fmt::format("  wall time: {:.3f} s", report.wall_seconds);
    if (const auto instructions = report.total("smsp__inst_executed.sum");
        instructions && *instructions > 0 && report.wall_seconds > 0)
        text += fmt::format(", {:.3f} million warp instructions/s", *instructions / report.wall_seconds * 1e-6);
    return text + "\n";
}

}  // namespace sassafras::cli
