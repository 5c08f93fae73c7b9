#include <fmt/format.h>

#include "cli/html/charts/charts.hpp"
#include "cli/html/charts/round_name.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

Spec banks_by_round(const ConflictReport& report) {
    Spec values = Spec::array();
    const std::size_t most = std::min(report.summary.rounds.size(), most_rounds_shown);
    for (std::size_t i = 0; i < most; ++i) {
        const study::RoundConflicts& round = report.summary.rounds[i];
        for (std::size_t bank = 0; bank < round.banks.size(); ++bank)
            values.push_back({{"round", round_name(report, i)},
                              {"bank", bank},
                              {"words", round.banks[bank].words},
                              {"worst", round.banks[bank].worst}});
    }
    return spec_of(
        std::move(values),
        {{"height", 18 * most},
         {"mark", {{"type", "rect"}, {"tooltip", {{"content", "data"}}}}},
         {"encoding",
          {{"x", {{"field", "bank"}, {"type", "ordinal"}, {"title", "bank"}, {"axis", {{"labelOverlap", true}}}}},
           {"y", {{"field", "round"}, {"type", "nominal"}, {"sort", nullptr}, {"title", nullptr}}},
           {"color",
            {{"field", "words"},
             {"type", "quantitative"},
             {"title", "words"},
             {"legend", {{"orient", "top"}, {"gradientLength", 200}}}}}}}});
}

}  // namespace sassafras::cli::charts
