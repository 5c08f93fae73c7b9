#include "cli/commands/microbench_spt.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/reports/result_text.hpp"
#include "core/json_text.hpp"
#include "core/staged_file.hpp"
#include "sim/platform/platform_reader.hpp"
#include "validate/models/spt/curves.hpp"

namespace sassafras::cli {

namespace {

namespace spt = validate::spt;
using Json = nlohmann::ordered_json;

struct SptReport {
    std::vector<std::string> command;
    std::string device;
    Json platform;
    spt::Curves curves;
    spt::FittedMachine fitted;
    spt::Instance instance;
};

constexpr const char* unit_of_latency = "cycles";
constexpr const char* unit_of_bandwidth = "operations per cycle and core";

std::string with_interval(const spt::FittedValue& estimate) {
    const std::string value = fmt::format("{:>10.5g}", estimate.value);
    if (!estimate.interval) return fmt::format("{}  {:<24}", value, "");
    return fmt::format("{}  {:<24}", value,
                       fmt::format("{:.5g} to {:.5g}", estimate.interval->least, estimate.interval->most));
}

/// Cycles of an operation: a row an M_I, a column an M_o; the mean where there are several repetitions.
std::string curve_table(const SptReport& report, const spt::FittedOperation& operation) {
    std::map<std::uint32_t, std::map<double, std::pair<double, int>>> rows;
    std::set<double> columns;
    for (const auto& cell : report.curves.cells) {
        if (cell.symbol != operation.symbol) continue;
        auto& [sum, count] = rows[cell.ilp][cell.oversubscription];
        sum += cell.cycles;
        ++count;
        columns.insert(cell.oversubscription);
    }
    std::string text = fmt::format("\n  {} ({}): cycles of one operation of a thread\n    {:<8}", operation.name,
                                   operation.variant, "M_I\\M_o");
    for (const double oversubscription : columns) text += fmt::format("{:>10}", oversubscription);
    for (const auto& [ilp, row] : rows) {
        text += fmt::format("\n    {:<8}", ilp);
        for (const double oversubscription : columns) {
            const auto mean = row.find(oversubscription);
            text += mean == row.end() ? fmt::format("{:>10}", "")
                                      : fmt::format("{:>10.3f}", mean->second.first / mean->second.second);
        }
    }
    text += "\n";
    return text;
}

std::string to_table(const SptReport& report) {
    std::string text = fmt::format("  SPT model, {}\n", report.device);
    for (const auto& operation : report.fitted.operations) text += curve_table(report, operation);
    text += "\n  kernel boundaries: cycles of all kernels\n";
    for (const auto& sync : report.curves.syncs)
        text +=
            fmt::format("    M_o {:<4} kernels {:<4} {:>12.0f}\n", sync.oversubscription, sync.kernels, sync.cycles);
    text += fmt::format("\n  fit of t = max(M_o / B, L / M_I), with 95 % confidence\n    {:<8}{:>10}  {:<24}  {}\n", "",
                        "value", "interval", "unit");
    for (const auto& operation : report.fitted.operations)
        text += fmt::format("    {:<8}{}  {}\n", "L_" + operation.symbol, with_interval(operation.fit.latency),
                            unit_of_latency);
    for (const auto& operation : report.fitted.operations)
        text += fmt::format("    {:<8}{}  {}\n", "B_" + operation.symbol, with_interval(operation.fit.bandwidth),
                            unit_of_bandwidth);
    text += fmt::format("    {:<8}{}  {}\n", "L_sync", with_interval(report.fitted.sync), unit_of_latency);
    text += "\n  how far the fit is from the curves\n";
    for (const auto& operation : report.fitted.operations)
        text += fmt::format("    {:<8}mean {:>5.1f} %, greatest {:>5.1f} %\n", operation.symbol,
                            100 * operation.fit.typical_error, 100 * operation.fit.greatest_error);
    return text;
}

/// A line a measurement: figures 4.1 to 4.6 can be drawn from it.
std::string to_csv(const SptReport& report) {
    std::string text = "\"operation\",\"variant\",\"M_o\",\"M_I\",\"kernels\",\"repetition\",\"value\",\"unit\"\n";
    for (const auto& cell : report.curves.cells)
        text += fmt::format("\"{}\",\"{}\",\"{}\",\"{}\",\"\",\"{}\",\"{}\",\"cycles/operation\"\n", cell.symbol,
                            cell.variant, cell.oversubscription, cell.ilp, cell.repetition, cell.cycles);
    for (const auto& sync : report.curves.syncs)
        text += fmt::format("\"sync\",\"kernel-boundaries\",\"{}\",\"1\",\"{}\",\"{}\",\"{}\",\"cycles\"\n",
                            sync.oversubscription, sync.kernels, sync.repetition, sync.cycles);
    return text;
}

Json estimate_json(const spt::FittedValue& estimate) {
    Json json{{"value", estimate.value}, {"points", estimate.points}, {"interval", nullptr}};
    if (estimate.interval) json["interval"] = Json::array({estimate.interval->least, estimate.interval->most});
    return json;
}

std::string to_json(const SptReport& report) {
    Json cells = Json::array();
    for (const auto& cell : report.curves.cells)
        cells.push_back({{"operation", cell.symbol},
                         {"variant", cell.variant},
                         {"M_o", cell.oversubscription},
                         {"M_I", cell.ilp},
                         {"repetition", cell.repetition},
                         {"cycles", cell.cycles}});
    Json syncs = Json::array();
    for (const auto& sync : report.curves.syncs)
        syncs.push_back({{"M_o", sync.oversubscription},
                         {"kernels", sync.kernels},
                         {"repetition", sync.repetition},
                         {"cycles", sync.cycles}});
    Json fits = Json::object();
    for (const auto& operation : report.fitted.operations)
        fits[operation.symbol] = {{"latency_cycles", estimate_json(operation.fit.latency)},
                                  {"bandwidth_per_core_and_cycle", estimate_json(operation.fit.bandwidth)},
                                  {"mean_error", operation.fit.typical_error},
                                  {"greatest_error", operation.fit.greatest_error}};
    fits["sync_cycles"] = estimate_json(report.fitted.sync);
    Json json{{"command", report.command},
              {"device", report.device},
              {"platform", report.platform},
              {"curves", std::move(cells)},
              {"kernel_boundaries", std::move(syncs)},
              {"fit", std::move(fits)},
              {"instance", own_json(spt::instance_json(report.instance))}};
    return result_text("spt_constants", std::move(json));
}

OutputName instance_file(const std::string& path) { return {path, "the instance", "--instance"}; }

}  // namespace

Result<int> microbench_spt(const SptOptions& options, const MeasureOptions& measure,
                           const std::vector<std::string>& command) {
    ReservedOutput instance_place;
    if (!options.instance.empty()) {
        auto reserved = reserve_output_file(instance_file(options.instance));
        if (!reserved) return reserved.error();
        instance_place = std::move(*reserved);
    }
    const auto resolved = chosen_platform(measure);
    if (!resolved) return resolved.error();
    auto chosen = choose_device(measure);
    if (!chosen) return chosen.error();
    const spt::Machine machine = spt::machine_of(resolved->platform);
    spt::CurveOptions how{options.ends_only, options.repetitions, measure.seed, options.longer, nullptr};
    std::optional<spt::LaunchCycles> known;
    if (!options.launch_cycles.empty()) {
        auto read = spt::LaunchCycles::read(options.launch_cycles);
        if (!read) return read.error();
        known = std::move(*read);
        how.launch_cycles = &*known;
    }
    auto curves = spt::measure_curves(*chosen->device, machine, how);
    if (!curves) return curves.error();
    auto fitted = spt::fit_curves(*curves);
    if (!fitted) return fitted.error();
    SptReport report;
    report.command = recorded_command(command);
    report.device = chosen->device->name();
    report.platform = std::move(chosen->platform);
    report.instance =
        fitted->instance(machine, fmt::format("sassafras microbench --spt, device {} ({}){}", measure.device,
                                              report.device, known ? ", cycles by Nsight Compute" : ""));
    report.curves = std::move(*curves);
    report.fitted = std::move(*fitted);
    if (!options.instance.empty())
        if (auto written = write_output_file(instance_file(options.instance), spt::instance_json(report.instance));
            !written)
            return written.error();
    const auto text = [&] { return measure.csv ? to_csv(report) : to_table(report); };
    if (auto delivered = deliver([&] { return to_json(report); }, text, measure); !delivered) return delivered.error();
    return 0;
}

}  // namespace sassafras::cli
