#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

Spec errors(const ValidateReport& report) {
    Spec values = Spec::array();
    for (const validate::PlatformComparison& platform : report.platforms)
        for (const validate::Comparison& run : platform.runs)
            if (run.measured && run.simulated)
                values.push_back({{"error", validate::error_percent(*run.simulated, run.measured->cycles)},
                                  {"workload", run.run.workload}});
    return spec_of(std::move(values), {{"height", 220},
                                       {"mark", {{"type", "bar"}, {"tooltip", true}}},
                                       {"encoding",
                                        {{"x",
                                          {{"field", "error"},
                                           {"type", "quantitative"},
                                           {"bin", {{"maxbins", 24}}},
                                           {"title", "error of simulated cycles, %"}}},
                                         {"y",
                                          {{"aggregate", "count"},
                                           {"type", "quantitative"},
                                           {"title", "runs"},
                                           {"axis", {{"tickMinStep", 1}, {"format", "d"}}}}},
                                         {"color", color_by("workload")}}}});
}

}  // namespace sassafras::cli::charts
