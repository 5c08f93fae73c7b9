#include <algorithm>

#include <fmt/format.h>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

Spec measured_against_simulated(const ValidateReport& report) {
    Spec values = Spec::array();
    double least = 1e300;
    double most = 0;
    for (const validate::PlatformComparison& platform : report.platforms)
        for (const validate::Comparison& run : platform.runs) {
            if (!run.measured || !run.simulated) continue;
            least = std::min({least, run.measured->cycles, *run.simulated});
            most = std::max({most, run.measured->cycles, *run.simulated});
            values.push_back({{"measured", run.measured->cycles},
                              {"simulated", *run.simulated},
                              {"workload", run.run.workload},
                              {"variant", run.run.variant},
                              {"n", run.run.n},
                              {"platform", platform.platform},
                              {"error %", validate::error_percent(*run.simulated, run.measured->cycles)}});
        }
    constexpr double room = 1.5;
    const Spec scale{{"type", "log"}, {"domain", {least / room, most * room}}, {"nice", false}};
    const auto axis = [&](const char* field, const char* title) {
        return Spec{{"field", field},
                    {"type", "quantitative"},
                    {"title", title},
                    {"scale", scale},
                    {"axis", {{"format", "~s"}, {"tickCount", 5}, {"grid", false}}}};
    };
    Spec spec = spec_of(
        std::move(values),
        {{"height", 340},
         {"encoding", {{"x", axis("measured", "measured cycles")}, {"y", axis("simulated", "simulated cycles")}}},
         {"layer",
          {{{"data", {{"name", "equal"}}}, {"mark", {{"type", "line"}, {"strokeDash", {4, 4}}, {"color", "gray"}}}},
           {{"mark",
             {{"type", "point"},
              {"filled", true},
              {"size", 60},
              {"opacity", 0.85},
              {"tooltip", {{"content", "data"}}}}},
            {"encoding", {{"color", color_by("workload")}}}}}}});
    if (spec.is_null()) return spec;
    spec["datasets"]["equal"] = {{{"measured", least / room}, {"simulated", least / room}},
                                 {{"measured", most * room}, {"simulated", most * room}}};
    return spec;
}

}  // namespace sassafras::cli::charts
