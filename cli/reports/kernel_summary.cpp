#include "cli/reports/kernel_summary.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "cli/reports/csv_row.hpp"
#include "cli/reports/kernel_name.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

/// Of the launches that know it.
struct Spread {
    double least = 0;
    double greatest = 0;
    double sum = 0;
    std::size_t count = 0;

    void add(double value) {
        least = count == 0 ? value : std::min(least, value);
        greatest = count == 0 ? value : std::max(greatest, value);
        sum += value;
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

struct OfKernel {
    const sim::KernelResult* first = nullptr;
    std::size_t launches = 0;
    bool one_grid = true;
    bool one_block = true;
    bool one_stream = true;
    std::map<sim::MetricId, Spread> metrics;

    [[nodiscard]] const Spread* find(sim::MetricId metric) const {
        const auto found = metrics.find(metric);
        return found == metrics.end() ? nullptr : &found->second;
    }
};

std::vector<OfKernel> by_kernel(const Report& report) {
    std::vector<OfKernel> kernels;
    std::map<std::string_view, std::size_t> places;
    for (const sim::KernelResult& result : report.kernels) {
        const auto [place, is_new] = places.try_emplace(result.name, kernels.size());
        if (is_new) kernels.push_back({.first = &result, .metrics = {}});
        OfKernel& kernel = kernels[place->second];
        ++kernel.launches;
        kernel.one_grid = kernel.one_grid && result.grid == kernel.first->grid;
        kernel.one_block = kernel.one_block && result.block == kernel.first->block;
        kernel.one_stream = kernel.one_stream && result.stream == kernel.first->stream;
        for (const auto& [metric, value] : result.metrics.all()) kernel.metrics[metric].add(value);
    }
    return kernels;
}

std::vector<sim::MetricId> metrics_of(const OfKernel& kernel, const Report& report) {
    if (report.metrics) return *report.metrics;
    std::vector<sim::MetricId> metrics;
    for (const auto& [metric, spread] : kernel.metrics)
        if (!row_of(metric).is_part) metrics.push_back(metric);
    return metrics;
}

/// A sum of shares or rates says nothing.
bool has_sum(sim::MetricId metric) { return row_of(metric).merge == sim::Merge::sum; }

std::string cell(double value) { return rounded(value); }

std::string aligned_cells(const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows) {
        text += fmt::format("{}{:<{}}", indent, row[0], widths[0]);
        for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
        text += "\n";
    }
    return text;
}

std::string metric_tables(const std::vector<OfKernel>& kernels, const Report& report) {
    std::string text;
    for (const OfKernel& kernel : kernels) {
        std::vector<std::vector<std::string>> rows{
            {"Metric Name", "Metric Unit", "Minimum", "Maximum", "Average", "Sum"}};
        for (const sim::MetricId metric : metrics_of(kernel, report)) {
            rows.push_back({std::string(name_of(metric)), std::string(row_of(metric).unit)});
            const Spread* const spread = kernel.find(metric);
            if (spread == nullptr)
                rows.back().resize(rows.front().size(), "n/a");
            else
                for (const double value : {spread->least, spread->greatest, spread->mean()})
                    rows.back().push_back(cell(value));
            if (spread != nullptr) rows.back().push_back(has_sum(metric) ? cell(spread->sum) : "");
        }
        text += fmt::format("  {}, launches: {}\n{}\n", kernel_name(kernel.first->name), grouped(kernel.launches),
                            aligned_cells(rows, "    "));
    }
    return text;
}

}  // namespace

std::string kernels_table(const Report& report, bool all_metrics) {
    const std::vector<OfKernel> kernels = by_kernel(report);
    if (report.metrics || all_metrics) return metric_tables(kernels, report);
    constexpr sim::MetricId cycles = "sm__cycles_elapsed.max"_metric;
    constexpr sim::MetricId time = "gpu__time_duration.sum"_metric;
    constexpr sim::MetricId instructions = "smsp__inst_executed.sum"_metric;
    const auto all_time = report.total(time);
    const bool has_time = all_time && report.total(cycles) && *all_time > 0 && !report.kernels.empty();
    std::vector<std::vector<std::string>> rows{{"Launches"}};
    if (has_time)
        for (const char* title : {"Cycles Min", "Mean", "Max", "Sum", "Time ns", "%"}) rows[0].emplace_back(title);
    const bool has_instructions = report.total(instructions).has_value() && !report.kernels.empty();
    if (has_instructions) rows[0].emplace_back("Warp Inst");
    for (const OfKernel& kernel : kernels) {
        std::vector<std::string> row{grouped(kernel.launches)};
        if (has_time) {
            const Spread& of = *kernel.find(cycles);
            const double nanoseconds = kernel.find(time)->sum;
            for (const double value : {of.least, of.mean(), of.greatest, of.sum, nanoseconds})
                row.push_back(cell(value));
            row.push_back(fmt::format("{:.1f}", 100 * nanoseconds / *all_time));
        }
        if (has_instructions) row.push_back(cell(kernel.find(instructions)->sum));
        rows.push_back(std::move(row));
    }
    rows[0].emplace_back("Kernel");
    for (std::size_t i = 0; i < kernels.size(); ++i) rows[i + 1].push_back(kernel_name(kernels[i].first->name));
    // The name comes last, and begins where all begin.
    std::size_t longest = 0;
    for (const auto& row : rows) longest = std::max(longest, row.back().size());
    for (auto& row : rows) row.back().resize(longest, ' ');
    std::string text = aligned_cells(rows, "  ");
    std::string trimmed;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        trimmed += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        begin = end + 1;
    }
    return trimmed;
}

std::string kernels_csv(const Report& report) {
    std::string text = CsvRow()
                           .add_all({"Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream",
                                     "Block Size", "Grid Size", "Device", "CC", "Invocations", "Section Name",
                                     "Metric Name", "Metric Unit", "Minimum", "Maximum", "Average", "Sum"})
                           .line();
    for (const OfKernel& kernel : by_kernel(report)) {
        const sim::KernelResult& first = *kernel.first;
        for (const sim::MetricId metric : metrics_of(kernel, report)) {
            CsvRow row;
            row.add_all({"0", "sassafras", report.device, kernel_name(first.name), fmt::format("{}", sim::only_context),
                         kernel.one_stream ? fmt::format("{}", first.stream) : "",
                         kernel.one_block ? extents(first.block) : "", kernel.one_grid ? extents(first.grid) : "", "0",
                         report.compute_capability, fmt::format("{}", kernel.launches), "Command line profiler metrics",
                         std::string(name_of(metric)), std::string(row_of(metric).unit)});
            if (const Spread* const spread = kernel.find(metric))
                row.add_all({number_text(spread->least), number_text(spread->greatest), number_text(spread->mean()),
                             has_sum(metric) ? number_text(spread->sum) : ""});
            else
                row.add_all({"n/a", "n/a", "n/a", "n/a"});
            text += row.line();
        }
    }
    return text;
}

nlohmann::ordered_json kernels_json(const Report& report) {
    auto kernels = nlohmann::ordered_json::array();
    for (const OfKernel& kernel : by_kernel(report)) {
        auto metrics = nlohmann::ordered_json::object();
        for (const sim::MetricId metric : metrics_of(kernel, report)) {
            auto& json = metrics[std::string(name_of(metric))];
            const Spread* const spread = kernel.find(metric);
            if (spread == nullptr) continue;
            json = {{"min", spread->least}, {"max", spread->greatest}, {"mean", spread->mean()}};
            if (has_sum(metric)) json["sum"] = spread->sum;
        }
        auto json = named_kernel("name", kernel.first->name);
        json["launches"] = kernel.launches;
        json["metrics"] = std::move(metrics);
        kernels.push_back(std::move(json));
    }
    return kernels;
}

}  // namespace sassafras::cli
