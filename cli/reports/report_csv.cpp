#include <fmt/format.h>

#include <algorithm>

#include "cli/reports/report.hpp"

namespace sassafras::cli {

namespace {

/// Every field is quoted, as Nsight Compute does.
class CsvRow {
  public:
    CsvRow& add(const std::string& field) {
        text_ += text_.empty() ? "\"" : ",\"";
        for (const char c : field) {
            if (c == '"') text_ += '"';
            text_ += c;
        }
        text_ += '"';
        return *this;
    }
    CsvRow& add(std::uint64_t value) { return add(fmt::format("{}", value)); }
    CsvRow& add_all(const std::vector<std::string>& fields) {
        for (const auto& field : fields) add(field);
        return *this;
    }
    [[nodiscard]] std::string line() const { return text_ + "\n"; }

  private:
    std::string text_;
};

const std::vector<std::string> launch_columns{"ID",      "Process ID", "Process Name", "Host Name", "Kernel Name",
                                              "Context", "Stream",     "Block Size",   "Grid Size", "Device",
                                              "CC"};

/// There is no process, host or stream here that would tell a reader anything; their columns stay for scripts that
/// count.
std::vector<std::string> launch_fields(std::size_t id, const sim::KernelResult& result, const Report& report) {
    return {fmt::format("{}", id), "0", "sassafras", report.device, result.name, "1", "7", extents(result.block),
            extents(result.grid),  "0", "9.0"};
}

std::string details(const Report& report) {
    std::string text =
        CsvRow().add_all(launch_columns).add_all({"Section Name", "Metric Name", "Metric Unit", "Metric Value"}).line();
    for (std::size_t id = 0; id < report.kernels.size(); ++id)
        for (const auto& [name, value] : report.kernels[id].metrics)
            text += CsvRow()
                        .add_all(launch_fields(id, report.kernels[id], report))
                        .add_all({"Command line profiler metrics", name, metric_unit(name), number_text(value)})
                        .line();
    return text;
}

std::string raw(const Report& report) {
    std::vector<std::string> names;
    for (const auto& result : report.kernels)
        for (const auto& [name, value] : result.metrics)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    const std::vector<std::string> own{"launch__registers_per_thread", "launch__shared_mem_per_block_static",
                                       "launch__shared_mem_per_block_dynamic"};
    std::string text = CsvRow().add_all(launch_columns).add_all(own).add_all(names).line();
    CsvRow units;
    for (std::size_t i = 0; i < launch_columns.size(); ++i) units.add("");
    units.add_all({"register/thread", "byte/block", "byte/block"});
    for (const auto& name : names) units.add(metric_unit(name));
    text += units.line();
    for (std::size_t id = 0; id < report.kernels.size(); ++id) {
        const auto& result = report.kernels[id];
        CsvRow row;
        row.add_all(launch_fields(id, result, report))
            .add(result.registers_per_thread)
            .add(result.static_shared.count)
            .add(result.dynamic_shared.count);
        for (const auto& wanted : names) {
            const auto found = std::find_if(result.metrics.begin(), result.metrics.end(),
                                            [&](const auto& metric) { return metric.first == wanted; });
            row.add(found == result.metrics.end() ? std::string() : number_text(found->second));
        }
        text += row.line();
    }
    return text;
}

std::string source(const Report& report) {
    std::string text;
    for (const auto& result : report.kernels) {
        std::vector<std::string> reasons;
        for (const auto& row : result.source)
            for (const auto& [reason, cycles] : row.stalls)
                if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.push_back(reason);
        text += CsvRow().add("Kernel Name").add(result.name).line();
        text += CsvRow()
                    .add_all({"#", "Address", "Source", "Instructions Executed", "Thread Instructions Executed",
                              "Avg. Threads Executed", "L1 Conflicts Shared N-Way", "L1 Wavefronts Shared",
                              "L1 Wavefronts Shared Ideal", "L1 Wavefronts Shared Excessive",
                              "L2 Theoretical Sectors Global"})
                    .add_all(reasons)
                    .line();
        for (std::size_t i = 0; i < result.source.size(); ++i) {
            const auto& row = result.source[i];
            const auto ratio = [](std::uint64_t a, std::uint64_t b) {
                return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
            };
            CsvRow line;
            line.add(i)
                .add(fmt::format("{:#x}", row.pc))
                .add(row.sass)
                .add(row.inst_executed)
                .add(row.thread_inst_executed)
                .add(number_text(ratio(row.thread_inst_executed, row.inst_executed)))
                .add(number_text(ratio(row.shared_wavefronts, row.shared_wavefronts_ideal)))
                .add(row.shared_wavefronts)
                .add(row.shared_wavefronts_ideal)
                .add(row.shared_wavefronts - std::min(row.shared_wavefronts, row.shared_wavefronts_ideal))
                .add(row.global_sectors);
            for (const auto& wanted : reasons) {
                const auto found = std::find_if(row.stalls.begin(), row.stalls.end(),
                                                [&](const auto& stall) { return stall.first == wanted; });
                line.add(found == row.stalls.end() ? 0 : found->second);
            }
            text += line.line();
        }
    }
    return text;
}

}  // namespace

std::string to_csv(const Report& report, Page page) {
    switch (page) {
        case Page::details: return details(report);
        case Page::raw: return raw(report);
        case Page::source: return source(report);
    }
    return {};
}

}  // namespace sassafras::cli
