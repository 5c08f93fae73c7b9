#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

Spec conflicts_by_size(const ConflictReport& report) {
    Spec values = Spec::array();
    for (const SizeConflicts& size : report.sizes) {
        const auto put = [&](const char* kind, double beta) {
            values.push_back({{"n", size.n}, {"kind", kind}, {"beta", beta}, {"requests", size.figures.requests}});
        };
        put("counted", size.figures.beta());
        put("ideal", size.figures.beta_ideal());
        put("random", size.figures.beta_random());
    }
    return spec_of(std::move(values),
                   {{"height", 240},
                    {"mark", {{"type", "line"}, {"point", true}, {"tooltip", {{"content", "data"}}}}},
                    {"encoding",
                     {{"x",
                       {{"field", "n"},
                        {"type", "quantitative"},
                        {"title", "n"},
                        {"scale", {{"type", "log"}, {"base", 2}, {"nice", false}}},
                        {"axis", {{"format", ","}, {"tickCount", 6}}}}},
                      {"y", axis_of_beta()},
                      {"color", color_by("kind")}}}});
}

}  // namespace sassafras::cli::charts
