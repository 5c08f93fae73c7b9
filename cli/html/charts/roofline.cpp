#include <algorithm>
#include <map>

#include <string>
#include <vector>

#include "cli/html/charts/charts.hpp"
#include "cli/html/operations.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

namespace {

struct MemoryLevel {
    const char* name;
    double bytes = 0;
    double peak_per_second = 0;
};

std::vector<MemoryLevel> levels_of(const LaunchSource& launch) {
    const auto count = [&](sim::MetricId metric) { return launch.kernel.metric(metric); };
    const sim::Platform& platform = *launch.platform;
    const double clock = platform.clock.sm_mhz * 1e6;
    const double sector = platform.lsu.sector_bytes;
    const double l1_sectors = count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric) +
                              count("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"_metric) +
                              count("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"_metric) +
                              count("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"_metric);
    const double wavefront = static_cast<double>(platform.sm.shared_banks) * platform.sm.shared_bank_bytes;
    std::vector<MemoryLevel> levels{
        {"L1", l1_sectors * sector, platform.gpu.sm_count * wavefront / platform.lsu.wavefront_interval_cycles * clock},
        {"L2", count("lts__t_sectors_srcunit_tex.sum"_metric) * sector,
         static_cast<double>(platform.l2.slices) * platform.l2.slice_bytes_per_cycle * clock},
        {"DRAM", count("dram__bytes_read.sum"_metric) + count("dram__bytes_write.sum"_metric),
         platform.dram.bandwidth_gb_per_s * 1e9}};
    std::erase_if(levels, [](const MemoryLevel& level) { return level.bytes <= 0; });
    return levels;
}

/// What is counted against what: giga-operations a second, and operations for a byte or a sector.
struct RooflineOf {
    std::vector<Operations> work;
    double divisor = 1;  ///< bytes of a unit of the axis below
    const char* x = "floating-point operations for each byte";
    const char* y = "GFLOP/s";
};

/// Kernels without arithmetic of floating point have warp instructions (Ding and Williams 2019).
RooflineOf work_of(const LaunchSource& launch) {
    RooflineOf of;
    of.work = operations_of(launch);
    if (!of.work.empty()) return of;
    const sim::Platform& platform = *launch.platform;
    of.work = {{"issue", launch.kernel.metric("smsp__inst_executed.sum"_metric),
                static_cast<double>(platform.gpu.sm_count) * platform.sm.subcores / platform.sm.issue_interval_cycles *
                    platform.clock.sm_mhz * 1e6}};
    of.divisor = platform.lsu.sector_bytes;
    of.x = "warp instructions for each sector of 32 bytes";
    of.y = "10⁹ warp instructions a second";
    return of;
}

/// As far as ceilings and points go: so the specification is the same for all launches.
Spec axis_of(const char* field, const char* title) {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", title},
            {"scale", {{"type", "log"}, {"nice", false}, {"padding", 10}}},
            {"axis", {{"format", "~s"}, {"tickCount", 10}, {"grid", false}}}};
}

}  // namespace

Spec roofline(const LaunchSource& launch) {
    const double seconds = launch.kernel.metric("gpu__time_duration.sum"_metric) * 1e-9;
    if (launch.platform == nullptr || seconds <= 0) return nullptr;
    const std::vector<MemoryLevel> levels = levels_of(launch);
    const RooflineOf of = work_of(launch);
    double work = 0;
    double top = 0;
    for (const Operations& one : of.work) {
        work += one.count;
        top = std::max(top, one.peak_per_second);
    }
    if (levels.empty() || work <= 0) return nullptr;
    constexpr double giga = 1e-9;
    constexpr double margin = 4;
    double least = 1e300;
    double most = 0;
    Spec points = Spec::array();
    for (const MemoryLevel& level : levels) {
        const double intensity = work / (level.bytes / of.divisor);
        const double ridge = top / (level.peak_per_second / of.divisor);
        least = std::min({least, intensity, ridge});
        most = std::max({most, intensity, ridge});
        points.push_back(
            {{"level", level.name},
             {"intensity", intensity},
             {"performance", work / seconds * giga},
             {"bytes", level.bytes},
             {"% of ceiling", 100 * work / seconds / std::min(top, intensity * level.peak_per_second / of.divisor)}});
    }
    least /= margin;
    most *= margin;
    Spec ceilings = Spec::array();
    Spec labels = Spec::array();
    for (const MemoryLevel& level : levels) {
        const double slope = level.peak_per_second / of.divisor * giga;
        ceilings.push_back({{"level", level.name}, {"intensity", least}, {"performance", slope * least}});
        ceilings.push_back({{"level", level.name}, {"intensity", top * giga / slope}, {"performance", top * giga}});
    }
    // Pipes of one speed have one line.
    std::map<double, std::string> roofs;
    for (const Operations& one : of.work) {
        std::string& name = roofs[one.peak_per_second * giga];
        name += (name.empty() ? "" : ", ") + std::string(one.kind);
    }
    for (const auto& [height, name] : roofs) {
        ceilings.push_back({{"level", name}, {"intensity", least}, {"performance", height}});
        ceilings.push_back({{"level", name}, {"intensity", most}, {"performance", height}});
        labels.push_back({{"label", name}, {"intensity", most}, {"performance", height}});
    }
    const Spec x = axis_of("intensity", of.x);
    const Spec y = axis_of("performance", of.y);
    const Spec color = color_by("level");
    Spec spec = spec_of(
        std::move(points),
        {{"height", 260},
         {"encoding", {{"x", x}, {"y", y}}},
         {"layer",
          {{{"data", {{"name", "ceilings"}}},
            {"mark", {{"type", "line"}, {"clip", true}}},
            {"encoding", {{"color", color}}}},
           {{"data", {{"name", "labels"}}},
            {"mark", {{"type", "text"}, {"align", "right"}, {"baseline", "bottom"}, {"dy", -4}}},
            {"encoding", {{"text", {{"field", "label"}, {"type", "nominal"}}}}}},
           {{"mark",
             {{"type", "point"}, {"filled", true}, {"size", 110}, {"opacity", 1}, {"tooltip", {{"content", "data"}}}}},
            {"encoding", {{"color", color}}}}}}});
    spec["datasets"]["ceilings"] = std::move(ceilings);
    spec["datasets"]["labels"] = std::move(labels);
    return spec;
}

}  // namespace sassafras::cli::charts
