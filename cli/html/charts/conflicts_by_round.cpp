#include <algorithm>

#include "cli/html/charts/charts.hpp"
#include "cli/html/charts/round_name.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

Spec conflicts_by_round(const ConflictReport& report) {
    const std::size_t most = std::min(report.summary.rounds.size(), most_rounds_shown);
    if (most < 2) return nullptr;
    Spec values = Spec::array();
    for (std::size_t i = 0; i < most; ++i) {
        const study::ConflictFigures& figures = report.summary.rounds[i].figures;
        const auto put = [&](const char* kind, double beta) {
            values.push_back({{"number", i + 1},
                              {"round", round_name(report, i)},
                              {"kind", kind},
                              {"beta", beta},
                              {"requests", figures.requests}});
        };
        put("counted", figures.beta());
        put("ideal", figures.beta_ideal());
        put("random", figures.beta_random());
    }
    return spec_of(std::move(values),
                   {{"height", 220},
                    {"mark", {{"type", "line"}, {"point", true}, {"tooltip", {{"content", "data"}}}}},
                    {"encoding",
                     {{"x",
                       {{"field", "number"},
                        {"type", "quantitative"},
                        {"title", "rounds and launches, in their order"},
                        {"scale", {{"zero", false}, {"nice", false}}},
                        {"axis", {{"tickMinStep", 1}, {"format", "d"}}}}},
                      {"y", axis_of_beta()},
                      {"color", color_by("kind")}}}});
}

}  // namespace sassafras::cli::charts
