#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

Spec conflicts_by_phase(const ConflictReport& report) {
    Spec values = Spec::array();
    for (const study::PhaseConflicts& phase : report.summary.phases)
        values.push_back({{"phase", phase.part + ": " + phase.phase},
                          {"beta", phase.figures.beta()},
                          {"ideal", phase.figures.beta_ideal()},
                          {"random", phase.figures.beta_random()},
                          {"bound", phase.figures.beta_bound()},
                          {"requests", phase.figures.requests}});
    Spec spec = bars(std::move(values), {.name = "phase",
                                         .value = "beta",
                                         .x = "passes for each request (beta); tick: random accesses",
                                         .format = ".3f"});
    if (!spec.is_null())
        spec["layer"].push_back(
            {{"mark", {{"type", "tick"}, {"thickness", 2}, {"color", "gray"}, {"tooltip", {{"content", "data"}}}}},
             {"encoding", {{"x", {{"field", "random"}, {"type", "quantitative"}}}}}});
    return spec;
}

}  // namespace sassafras::cli::charts
