#include "cli/reports/measured_json.hpp"

#include <utility>

#include "cli/reports/columns.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

using MeasuredJson = nlohmann::ordered_json;
using study::MeasuredLaunch;

MeasuredJson size_json(const std::optional<Dim3>& size) {
    return size ? MeasuredJson::array({size->x, size->y, size->z}) : MeasuredJson(nullptr);
}

MeasuredJson value_json(const MeasuredLaunch& launch, const char* metric) {
    const study::MeasuredMetric* const found = launch.find(metric);
    return found == nullptr ? MeasuredJson(nullptr) : json_number(found->value);
}

/// null where no launch knows it.
MeasuredJson sum_json(const study::MeasuredReport& report, const char* metric) {
    double sum = 0;
    bool any = false;
    for (const MeasuredLaunch& launch : report.launches)
        if (const study::MeasuredMetric* const found = launch.find(metric); found != nullptr) {
            sum += found->value;
            any = true;
        }
    return any ? json_number(sum) : MeasuredJson(nullptr);
}

MeasuredJson instructions_json(const MeasuredLaunch& launch) {
    MeasuredJson rows = MeasuredJson::array();
    for (const study::MeasuredInstruction& one : launch.instructions) {
        MeasuredJson stalls = MeasuredJson::object();
        for (const auto& [reason, samples] : one.stalls) stalls[reason] = json_number(samples);
        rows.push_back({{"pc", one.pc},
                        {"sass", one.sass},
                        {"inst_executed", json_number(one.inst_executed)},
                        {"thread_inst_executed", json_number(one.thread_inst_executed)},
                        {"shared_wavefronts", json_number(one.shared_wavefronts)},
                        {"shared_wavefronts_ideal", json_number(one.shared_wavefronts_ideal)},
                        {"global_sectors", json_number(one.global_sectors)},
                        {"stalls", std::move(stalls)}});
    }
    return rows;
}

MeasuredJson kernel_of(const MeasuredLaunch& launch) {
    MeasuredJson json = launch_head(launch);
    json["registers_per_thread"] = value_json(launch, "launch__registers_per_thread");
    json["static_shared_bytes"] = value_json(launch, "launch__shared_mem_per_block_static");
    json["dynamic_shared_bytes"] = value_json(launch, "launch__shared_mem_per_block_dynamic");
    MeasuredJson metrics = MeasuredJson::object();
    for (const study::MeasuredMetric& metric : launch.metrics) metrics[metric.name] = json_number(metric.value);
    json["metrics"] = std::move(metrics);
    if (!launch.instructions.empty()) json["source"] = instructions_json(launch);
    if (!launch.stream.empty()) json["stream"] = launch.stream;
    return json;
}

}  // namespace

MeasuredJson launch_head(const MeasuredLaunch& launch) {
    MeasuredJson json{{"name", launch.name}};
    if (launch.demangled != launch.name) json["demangled"] = launch.demangled;
    json["grid"] = size_json(launch.grid);
    json["block"] = size_json(launch.block);
    return json;
}

std::string to_json(const study::MeasuredReport& report, const std::vector<std::string>& command,
                    const std::vector<std::string>& files) {
    MeasuredJson units = MeasuredJson::object();
    MeasuredJson kernels = MeasuredJson::array();
    for (const MeasuredLaunch& launch : report.launches) {
        for (const study::MeasuredMetric& metric : launch.metrics)
            if (!units.contains(metric.name)) units[metric.name] = metric.unit;
        kernels.push_back(kernel_of(launch));
    }
    MeasuredJson json{{"command", command}};
    json["platform"] = {{"name", report.device}, {"hash", nullptr}, {"resolved", nullptr}};
    json["workload"] = {{"name", "import"}, {"files", files}, {"profiler", report.profiler}, {"page", report.page}};
    json["verified"] = nullptr;
    json["units"] = std::move(units);
    json["kernels"] = std::move(kernels);
    json["total"] = {{"cycles", sum_json(report, "sm__cycles_elapsed.max")},
                     {"time_ns", sum_json(report, "gpu__time_duration.sum")},
                     {"wall_seconds", nullptr},
                     {"warp_instructions_per_second", nullptr}};
    return result_text("launches", std::move(json));
}

std::string to_table(const study::MeasuredReport& report) {
    std::vector<std::vector<std::string>> rows{{"Kernel", "Grid", "Block", "Metrics", "Instructions"}};
    for (const MeasuredLaunch& launch : report.launches)
        rows.push_back({kernel_name(launch.demangled), launch.grid ? extents(*launch.grid) : "",
                        launch.block ? extents(*launch.block) : "", grouped(launch.metrics.size()),
                        grouped(launch.instructions.size())});
    return aligned(rows, 1);
}

}  // namespace sassafras::cli
