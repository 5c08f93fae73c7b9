#include <array>
#include <utility>

#include <fmt/format.h>

#include "cli/reports/kernel_name.hpp"
#include "cli/reports/kernel_summary.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "cli/reports/rule_text.hpp"
#include "cli/reports/source_rows.hpp"
#include "isa/program/program.hpp"
#include "sim/device/full_set/full_set.hpp"
#include "sim/device/sampling/total_interval.hpp"
#include "sim/device/source_columns.hpp"

namespace sassafras::cli {

namespace {

using Json = nlohmann::ordered_json;

Json optional_number(const std::optional<double>& value) { return value ? json_number(*value) : Json(nullptr); }

Json triple(const Dim3& extents) { return Json::array({extents.x, extents.y, extents.z}); }

Json source_row(const sim::SourceRow& row) {
    Json stalls = Json::object();
    for (std::size_t reason = 0; reason < sim::stall_count; ++reason)
        if (row.stalls[reason] != 0) stalls["stall_" + std::string(sim::stall_rows[reason].name)] = row.stalls[reason];
    Json json{{"pc", row.pc}, {"sass", isa::print(row.instruction, row.pc)}};
    for (const sim::SourceColumn& column : sim::source_columns)
        if (!column.key.empty()) json[std::string(column.key)] = json_number(column.value(row));
    json["stalls"] = std::move(stalls);
    if (!row.location.empty()) json["line"] = row.location;
    return json;
}

Json place_json(const sim::FindingPlace& place) {
    Json json;
    if (!place.action.empty()) json["access"] = place.action;
    json["pc"] = place.pc;
    json["sass"] = place.sass;
    json["file"] = place.file.empty() ? Json(nullptr) : Json(place.file);
    json["line"] = place.file.empty() ? Json(nullptr) : Json(place.line);
    json["inlined_at"] = place.called_at;
    json["thread"] = triple(place.thread);
    json["block"] = triple(place.block);
    return json;
}

}  // namespace

std::vector<ShownMetric> shown_metrics(const sim::KernelResult& result,
                                       const std::optional<std::vector<sim::MetricId>>& chosen) {
    std::vector<ShownMetric> shown;
    if (chosen)
        for (const sim::MetricId metric : *chosen) shown.push_back({metric, result.metrics.find(metric)});
    else
        for (const auto& [metric, value] : result.metrics.reported()) shown.push_back({metric, value});
    return shown;
}

std::vector<LaunchFact> launch_facts(const sim::KernelResult& result) {
    std::vector<LaunchFact> facts{
        {"launch__registers_per_thread"_metric, double{1} * sim::registers_at_launch(result.registers_per_thread)},
        {"launch__shared_mem_per_block_static"_metric, static_cast<double>(result.static_shared.count)},
        {"launch__shared_mem_per_block_dynamic"_metric, static_cast<double>(result.dynamic_shared.count)}};
    std::erase_if(facts, [&](const LaunchFact& fact) { return result.metrics.find(fact.metric).has_value(); });
    return facts;
}

std::string capability_text(const isa::ComputeCapability& capability) {
    return fmt::format("{}.{}", capability.major, capability.minor);
}

void keep_part(Report& report, const std::optional<Part>& part) {
    report.part = LaunchPart{part, report.kernels.size(), {}};
    std::vector<sim::KernelResult> kept;
    for (std::size_t i = 0; i < report.kernels.size(); ++i) {
        if (report.kernels[i].left_out) continue;
        report.part->numbers.push_back(i);
        kept.push_back(std::move(report.kernels[i]));
    }
    report.kernels = std::move(kept);
}

void drop_full_set(Report& report) {
    const auto is_of_set = [](sim::MetricId metric) { return row_of(metric).known_by == sim::KnownBy::set; };
    for (sim::KernelResult& kernel : report.kernels) {
        for (const auto& [metric, value] : kernel.metrics.all())
            if (is_of_set(metric)) kernel.metrics.erase(metric);
        if (kernel.sampling)
            std::erase_if(kernel.sampling->intervals, [&](const auto& interval) { return is_of_set(interval.metric); });
    }
}

Json kernel_json(const sim::KernelResult& result, bool with_source,
                 const std::optional<std::vector<sim::MetricId>>& chosen) {
    Json metrics = Json::object();
    for (const auto& [metric, value] : shown_metrics(result, chosen))
        metrics[std::string(name_of(metric))] = optional_number(value);
    Json json = named_kernel("name", result.name);
    json["grid"] = triple(result.grid);
    json["block"] = triple(result.block);
    json["registers_per_thread"] = result.registers_per_thread;
    json["static_shared_bytes"] = result.static_shared.count;
    json["dynamic_shared_bytes"] = result.dynamic_shared.count;
    json["metrics"] = std::move(metrics);
    if (result.sampling) {
        Json intervals = Json::object();
        for (const auto& [metric, low, high] : result.sampling->intervals)
            intervals[std::string(name_of(metric))] = Json::array({json_number(low), json_number(high)});
        json["sampling"] = {{"timed_blocks", result.sampling->timed_blocks},
                            {"timed_launches", result.sampling->timed_launches},
                            {"intervals_95", std::move(intervals)}};
    }
    if (with_source) {
        Json rows = Json::array();
        for (const auto& row : without_padding(result.source)) rows.push_back(source_row(row));
        json["source"] = std::move(rows);
    }
    return json;
}

Json finding_json(const sim::Finding& finding) {
    Json places = Json::array();
    for (const sim::FindingPlace& place : finding.places) places.push_back(place_json(place));
    return Json{{"tool", sim::tool_name(finding.tool)},
                {"severity", finding.is_warning ? "warning" : "error"},
                {"kernel", finding.kernel},
                {"what", finding.what},
                {"details", finding.details},
                {"count", finding.count},
                {"places", std::move(places)}};
}

std::string to_json(const Report& report, bool with_source) {
    Json kernels = Json::array();
    for (std::size_t i = 0; i < report.kernels.size(); ++i) {
        kernels.push_back(kernel_json(report.kernels[i], with_source, report.metrics));
        if (!report.rules.empty()) put_rules_json(report.rules[i], kernels.back());
    }
    Json units = Json::object();
    std::array<bool, sim::metric_count> has_unit{};
    for (const sim::KernelResult& kernel : report.kernels)
        for (const auto& [metric, value] : shown_metrics(kernel, report.metrics))
            if (!std::exchange(has_unit[metric.index], true))
                units[std::string(name_of(metric))] = sim::row_of(metric).unit;
    for (std::size_t i = 0; i < report.launch_times.size(); ++i) {
        const auto& [stream, start, end] = report.launch_times[i];
        if (stream.empty()) continue;  // a signal ended the program while it was under way
        kernels[i].update({{"stream", stream}, {"start_ns", json_number(start)}, {"end_ns", json_number(end)}});
    }
    std::optional<double> speed = report.total("smsp__inst_executed.sum"_metric);
    if (speed) speed = report.wall_seconds > 0 ? std::optional<double>(*speed / report.wall_seconds) : std::nullopt;
    Json json{{"command", report.command},
              {"platform", report.platform},
              {"workload", report.workload},
              {"verified", report.verified ? Json(*report.verified) : Json(nullptr)},
              {"units", std::move(units)},
              {"kernels", std::move(kernels)},
              {"total",
               {{"cycles", optional_number(report.total("sm__cycles_elapsed.max"_metric))},
                {"time_ns", optional_number(report.total("gpu__time_duration.sum"_metric))},
                {"wall_seconds", report.wall_seconds},
                {"warp_instructions_per_second", optional_number(speed)}}}};
    if (!report.time.is_null()) json["time"] = report.time;
    if (report.part) {
        Json& launches = json["launches"] = Json::object();
        if (const auto& part = report.part->part) launches = {{"part", part->index}, {"parts", part->count}};
        launches.update({{"all", report.part->all}, {"numbers", report.part->numbers}});
    }
    if (report.is_per_kernel) json["summary"] = kernels_json(report);
    if (const auto half = sim::half_of_total_interval(report.kernels, "sm__cycles_elapsed.max"_metric)) {
        const double cycles = report.total("sm__cycles_elapsed.max"_metric).value_or(0);
        json["total"]["cycles_95"] = Json::array({json_number(cycles - *half), json_number(cycles + *half)});
    }
    if (report.findings) {
        json["checks_complete"] = !report.stopped_early;
        json["checks"] = Json::array();
        for (const sim::Finding& finding : *report.findings) json["checks"].push_back(finding_json(finding));
    }
    return result_text("launches", std::move(json));
}

}  // namespace sassafras::cli
