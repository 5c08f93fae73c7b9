#include "cli/html/html_launches.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/html/chart_list.hpp"
#include "cli/html/html_page.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/rule_text.hpp"
#include "core/json_text.hpp"

namespace sassafras::cli {

namespace {

using LaunchJson = nlohmann::ordered_json;

/// Things that are there once, and the numbers by which they are named.
class Pool {
  public:
    std::size_t place_of(const std::string& text) {
        const auto [found, is_new] = places_.try_emplace(text, all_.size());
        if (is_new) all_.push_back(text);
        return found->second;
    }
    [[nodiscard]] std::optional<std::size_t> find(const std::string& text) const {
        const auto found = places_.find(text);
        return found == places_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return all_; }
    /// A list of what is JSON already.
    [[nodiscard]] std::string json() const {
        std::string text = "[";
        for (const std::string& one : all_) text += (text.size() > 1 ? "," : "") + one;
        return text + "]";
    }

  private:
    std::map<std::string, std::size_t> places_;
    std::vector<std::string> all_;
};

std::string size_text(const Dim3& size) {
    if (size.z > 1) return fmt::format("{} x {} x {}", size.x, size.y, size.z);
    return size.y > 1 ? fmt::format("{} x {}", size.x, size.y) : fmt::format("{}", size.x);
}

LaunchJson known_or_null(const std::optional<double>& value) {
    return value ? LaunchJson(*value) : LaunchJson(nullptr);
}

class LaunchWriter {
  public:
    explicit LaunchWriter(const RunSource& run) : run_(run) {
        for (std::uint16_t index = 0; index < sim::metric_count; ++index) {
            const sim::MetricId metric{index};
            if (row_of(metric).is_part) continue;
            const bool is_known = std::any_of(run.report.kernels.begin(), run.report.kernels.end(),
                                              [&](const auto& kernel) { return kernel.metrics.find(metric); });
            if (is_known) metrics_.push_back(metric);
        }
    }

    LaunchPages write(const LaunchRoom& room) {
        const std::vector<sim::KernelResult>& launches = run_.report.kernels;
        std::vector<std::size_t> order(launches.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
            return length_of(launches[left]) > length_of(launches[right]);
        });
        const std::size_t rows = std::min(order.size(), room.rows);
        std::vector<std::optional<std::size_t>> details(launches.size());
        std::size_t bytes = 0;
        LaunchPages pages;
        pages.left_out = order.size() - rows;
        for (std::size_t i = 0; i < rows; ++i) {
            const std::string text = bytes < room.bytes ? details_of(order[i]) : std::string();
            details[order[i]] = text.empty() ? std::nullopt : details_.find(text);
            if (details[order[i]]) continue;
            if (text.empty() || bytes + text.size() > room.bytes) {
                bytes = std::max(bytes, room.bytes);
                ++pages.without_details;
                continue;
            }
            details[order[i]] = details_.place_of(text);
            bytes += text.size();
        }
        order.resize(rows);
        std::sort(order.begin(), order.end());
        LaunchJson table = LaunchJson::array();
        for (const std::size_t i : order) table.push_back(row_of_launch(i, details[i]));
        LaunchJson names = LaunchJson::array();
        for (const std::string& kernel : kernels_.all()) names.push_back(kernel_name(kernel));
        pages.kernels = kernels_.all();
        pages.json = "{\"kernels\":" + json_line(names) + ",\"rows\":" + json_line(table) +
                     ",\"metrics\":" + json_line(metric_names()) + ",\"specs\":" + specs_.json() +
                     ",\"details\":" + details_.json() + "}";
        return pages;
    }

  private:
    /// What launches are compared by: time, or where nothing has time, instructions.
    static double length_of(const sim::KernelResult& launch) {
        return launch.metrics.find("gpu__time_duration.sum"_metric)
            .value_or(launch.metric("smsp__inst_executed.sum"_metric));
    }

    LaunchJson row_of_launch(std::size_t index, const std::optional<std::size_t>& details) {
        const sim::KernelResult& launch = run_.report.kernels[index];
        return {kernels_.place_of(launch.name),
                size_text(launch.grid),
                size_text(launch.block),
                launch.stream,
                known_or_null(launch.metrics.find("sm__cycles_elapsed.max"_metric)),
                known_or_null(launch.metrics.find("gpu__time_duration.sum"_metric)),
                launch.metric("smsp__inst_executed.sum"_metric),
                details ? LaunchJson(*details) : LaunchJson(nullptr),
                run_.report.part ? run_.report.part->numbers[index] : index,
                run_.report.rules.empty() ? "" : std::string(run_.report.rules[index].bound)};
    }

    LaunchJson metric_names() const {
        LaunchJson names = LaunchJson::array();
        for (const sim::MetricId metric : metrics_) {
            const sim::MetricRow& row = row_of(metric);
            names.push_back({sim::name_of(row.details.section), row.details.label, row.name, row.unit});
        }
        return names;
    }

    std::string details_of(std::size_t index) {
        const sim::KernelResult& launch = run_.report.kernels[index];
        LaunchJson charts = LaunchJson::array();
        for (Chart& chart : charts_of(launch_charts(), LaunchSource{launch, run_.platform})) {
            LaunchJson values = packed_values(chart.spec["datasets"]);
            chart.spec.erase("datasets");
            const std::string spec = json_line({{"name", chart.name},
                                                {"title", chart.title},
                                                {"about", chart.about},
                                                {"wide", chart.wide},
                                                {"spec", std::move(chart.spec)}});
            charts.push_back({specs_.place_of(spec), std::move(values)});
        }
        LaunchJson values = LaunchJson::array();
        for (const sim::MetricId metric : metrics_) values.push_back(known_or_null(launch.metrics.find(metric)));
        LaunchJson rules = LaunchJson::array();
        std::string verdict;
        if (!run_.report.rules.empty()) {
            const study::LaunchRules& of = run_.report.rules[index];
            verdict = of.verdict;
            for (const study::RuleFinding& finding : of.findings)
                rules.push_back({study::text_of(finding.kind), sim::name_of(finding.section), estimate_text(finding),
                                 finding.text});
        }
        return json_line({{"verdict", std::move(verdict)},
                          {"rules", std::move(rules)},
                          {"charts", std::move(charts)},
                          {"metrics", std::move(values)}});
    }

    const RunSource& run_;
    std::vector<sim::MetricId> metrics_;  ///< that some launch has
    Pool kernels_;
    Pool specs_;
    Pool details_;
};

}  // namespace

LaunchPages html_launches(const RunSource& run, const LaunchRoom& room) { return LaunchWriter(run).write(room); }

}  // namespace sassafras::cli
