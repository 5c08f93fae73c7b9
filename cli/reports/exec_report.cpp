#include "cli/reports/exec_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "cli/reports/kernel_name.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

struct Column {
    const char* title;
    sim::MetricId metric;
};

constexpr std::array<Column, 5> columns{
    {{"Cycles", "sm__cycles_elapsed.max"_metric},
     {"Time ns", "gpu__time_duration.sum"_metric},
     {"Warp Inst", "smsp__inst_executed.sum"_metric},
     {"Bank Conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"_metric},
     {"DRAM Bytes Read", "dram__bytes_read.sum"_metric}}};

std::string short_extents(const Dim3& e) {
    if (e.z != 1) return fmt::format("{}x{}x{}", e.x, e.y, e.z);
    return e.y != 1 ? fmt::format("{}x{}", e.x, e.y) : fmt::format("{}", e.x);
}

/// The name without the type of the result, which comes first for templates; the front of it if it is long.
std::string short_name(const std::string& mangled) {
    constexpr std::size_t most = 100;
    std::string name = kernel_name(mangled);
    if (name != mangled && name.starts_with("void ")) name.erase(0, 5);
    return name.size() <= most ? name : name.substr(0, most - 3) + "...";
}

}  // namespace

std::string summary_table(const Report& report, const std::vector<cudart::FailedLaunch>& failed) {
    std::vector<std::vector<std::string>> rows(1);
    rows[0] = {"#", "Grid", "Block"};
    std::vector<sim::MetricId> metrics;
    for (const Column& column : columns) {
        if (!report.total(column.metric) || report.kernels.empty()) continue;
        rows[0].emplace_back(column.title);
        metrics.push_back(column.metric);
    }
    std::vector<std::string> names{"Kernel"};
    auto next = failed.begin();
    const auto number_of = [&](std::size_t i) { return report.part ? report.part->numbers[i] : i; };
    for (std::size_t i = 0; i <= report.kernels.size(); ++i) {
        const bool is_end = i == report.kernels.size();
        for (; next != failed.end() && (is_end || next->before <= number_of(i)); ++next) {
            rows.push_back({"-", short_extents(next->grid), short_extents(next->block)});
            rows.back().resize(rows[0].size(), "-");
            names.push_back(short_name(next->kernel) + ": failed");
        }
        if (is_end) break;
        const sim::KernelResult& kernel = report.kernels[i];
        std::vector<std::string> row{std::to_string(number_of(i)), short_extents(kernel.grid),
                                     short_extents(kernel.block)};
        for (const sim::MetricId metric : metrics)
            row.push_back(grouped(static_cast<std::uint64_t>(std::llround(kernel.metric(metric)))));
        rows.push_back(std::move(row));
        names.push_back(short_name(kernel.name));
    }
    std::vector<std::size_t> widths(rows[0].size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (std::size_t number = 0; number < rows.size(); ++number) {
        for (std::size_t i = 0; i < rows[number].size(); ++i)
            text += fmt::format("{}{:>{}}", "  ", rows[number][i], widths[i]);
        text += fmt::format("  {}\n", names[number]);
    }
    return text;
}

std::string failed_lines(const std::vector<cudart::FailedLaunch>& failed) {
    std::string text;
    for (const cudart::FailedLaunch& launch : failed)
        text += fmt::format("  failed: {}, grid {}, block {}: {}\n", short_name(launch.kernel),
                            short_extents(launch.grid), short_extents(launch.block), launch.message);
    return text;
}

}  // namespace sassafras::cli
