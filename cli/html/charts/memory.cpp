#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli::charts {

namespace {

/// Boxes and arrows on a plane of 100 by 100.
class MemoryDrawing {
  public:
    explicit MemoryDrawing(const sim::KernelResult& kernel) : kernel_(kernel) {}

    [[nodiscard]] double count(sim::MetricId metric) const { return kernel_.metric(metric); }

    void box(const char* name, double x, double y, double x2, double y2, std::string below = {},
             std::optional<double> percent = {}) {
        if (percent) below += fmt::format("{}{:.1f} % of peak", below.empty() ? "" : "; ", *percent);
        boxes_.push_back({{"name", name},
                          {"x", x},
                          {"y", y},
                          {"x2", x2},
                          {"y2", y2},
                          {"middle", (x + x2) / 2},
                          {"height", (y + y2) / 2},
                          {"says", std::move(below)},
                          {"percent", percent.value_or(0)}});
    }
    /// To the right if `x` is less than `x2`: what is written; else what is read.
    void arrow(double x, double x2, double y, double amount, std::string label) {
        if (amount <= 0) return;
        arrows_.push_back({{"x", x},
                           {"x2", x2},
                           {"y", y},
                           {"middle", (x + x2) / 2},
                           {"label", std::move(label)},
                           {"way", x < x2 ? "right" : "left"}});
    }
    void bytes(double x, double x2, double y, double amount) {
        const Quantity shown = quantity(amount, "byte");
        arrow(x, x2, y, amount, shown.value + " " + shown.unit);
    }
    void atomics(double x, double x2, double y, double amount) {
        const Quantity shown = quantity(amount, "byte");
        arrow(x, x2, y, amount, "atomics " + shown.value + " " + shown.unit);
    }
    void requests(double x, double x2, double y, double amount) {
        arrow(x, x2, y, amount, grouped(static_cast<std::uint64_t>(amount)) + " inst");
    }

    [[nodiscard]] Spec spec() &&;

  private:
    const sim::KernelResult& kernel_;
    Spec boxes_ = Spec::array();
    Spec arrows_ = Spec::array();
};

Spec place_of(const char* field) {
    return {{"field", field},
            {"type", "quantitative"},
            {"axis", nullptr},
            {"scale", {{"domain", {0, 100}}, {"nice", false}, {"zero", false}}}};
}

Spec text_layer(const char* data, const char* x, const char* y, const char* field, double dy, double size,
                const char* weight) {
    return {{"data", {{"name", data}}},
            {"mark", {{"type", "text"}, {"dy", dy}, {"fontSize", size}, {"fontWeight", weight}}},
            {"encoding", {{"x", place_of(x)}, {"y", place_of(y)}, {"text", {{"field", field}, {"type", "nominal"}}}}}};
}

Spec MemoryDrawing::spec() && {
    constexpr int height = 300;
    Spec whole = spec_of(
        std::move(boxes_),
        {{"height", height},
         {"layer",
          {{{"mark", {{"type", "rect"}, {"cornerRadius", 5}, {"stroke", "gray"}, {"tooltip", {{"content", "data"}}}}},
            {"encoding",
             {{"x", place_of("x")},
              {"x2", {{"field", "x2"}}},
              {"y", place_of("y")},
              {"y2", {{"field", "y2"}}},
              {"fillOpacity",
               {{"field", "percent"},
                {"type", "quantitative"},
                {"scale", {{"domain", {0, 100}}, {"range", {0.12, 0.85}}}},
                {"legend", nullptr}}}}}},
           text_layer("values", "middle", "height", "name", -7, 13, "bold"),
           text_layer("values", "middle", "height", "says", 10, 11, "normal"),
           {{"data", {{"name", "arrows"}}},
            {"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
            {"encoding", {{"x", place_of("x")}, {"x2", {{"field", "x2"}}}, {"y", place_of("y")}}}},
           {{"data", {{"name", "arrows"}}},
            {"mark", {{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 1}}},
            {"encoding",
             {{"x", place_of("x2")},
              {"y", place_of("y")},
              {"shape",
               {{"field", "way"},
                {"type", "nominal"},
                {"scale", {{"domain", {"left", "right"}}, {"range", {"triangle-left", "triangle-right"}}}},
                {"legend", nullptr}}}}}},
           text_layer("arrows", "middle", "y", "label", -8, 11, "normal")}}});
    whole["datasets"]["arrows"] = std::move(arrows_);
    return whole;
}

std::string hit_rate(const sim::KernelResult& kernel, sim::MetricId metric) {
    const auto percent = kernel.metrics.find(metric);
    return percent ? fmt::format("{:.1f} % hits", *percent) : std::string();
}

}  // namespace

Spec memory(const LaunchSource& launch) {
    const sim::KernelResult& kernel = launch.kernel;
    if (launch.platform == nullptr || !kernel.metrics.find("dram__bytes_read.sum"_metric)) return nullptr;
    const double sector = launch.platform->lsu.sector_bytes;
    MemoryDrawing drawing(kernel);
    const auto count = [&](sim::MetricId metric) { return drawing.count(metric); };
    drawing.box("Kernel", 0, 5, 8, 95);
    drawing.box("Global", 19, 70, 31, 95);
    drawing.box("Local", 19, 38, 31, 62);
    drawing.box("Shared", 19, 5, 31, 30);
    drawing.box("L1/TEX", 43, 38, 57, 95, hit_rate(kernel, "l1tex__t_sector_hit_rate.pct"_metric));
    drawing.box(
        "Shared memory", 43, 5, 57, 30, {},
        kernel.metrics.find("l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"_metric));
    drawing.box("L2", 67, 38, 80, 95, hit_rate(kernel, "lts__t_sector_op_read_hit_rate.pct"_metric));
    drawing.box("DRAM", 90, 38, 100, 95, {},
                kernel.metrics.find("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"_metric));

    drawing.requests(19, 8, 90, count("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"_metric));
    drawing.requests(8, 19, 81, count("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"_metric));
    const double atomics = count("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"_metric) +
                           count("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"_metric);
    drawing.arrow(8, 19, 72, atomics, grouped(static_cast<std::uint64_t>(atomics)) + " atomics");
    drawing.requests(19, 8, 54, count("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum"_metric));
    drawing.requests(8, 19, 43, count("l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"_metric));
    drawing.requests(19, 8, 21, count("smsp__inst_executed_op_shared_ld.sum"_metric));
    drawing.requests(8, 19, 10, count("smsp__inst_executed_op_shared_st.sum"_metric));
    drawing.bytes(43, 31, 90, sector * count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric));
    drawing.bytes(31, 43, 81, sector * count("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"_metric));
    drawing.bytes(31, 43, 72,
                  sector * (count("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"_metric) +
                            count("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"_metric)));
    drawing.bytes(43, 31, 54, sector * count("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"_metric));
    drawing.bytes(31, 43, 43, sector * count("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"_metric));
    const double wavefronts = count("memory_l1_wavefronts_shared"_metric);
    drawing.arrow(31, 43, 15, wavefronts, grouped(static_cast<std::uint64_t>(wavefronts)) + " passes");
    drawing.bytes(67, 57, 76, count("l1tex__m_xbar2l1tex_read_bytes.sum"_metric));
    // What SMs send: together l1tex__m_l1tex2xbar_write_bytes. Slices pass on more among themselves.
    drawing.bytes(57, 67, 60, sector * count("lts__t_sectors_srcunit_tex_op_write.sum"_metric));
    drawing.atomics(57, 67, 46,
                    sector * (count("lts__t_sectors_srcunit_tex_op_red.sum"_metric) +
                              count("lts__t_sectors_srcunit_tex_op_atom.sum"_metric)));
    drawing.bytes(90, 80, 76, count("dram__bytes_read.sum"_metric));
    drawing.bytes(80, 90, 52, count("dram__bytes_write.sum"_metric));
    return std::move(drawing).spec();
}

}  // namespace sassafras::cli::charts
