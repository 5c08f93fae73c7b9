#include <algorithm>
#include <utility>
#include <vector>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"

namespace sassafras::cli::charts {

Spec warp_states(const LaunchSource& launch) {
    std::vector<std::pair<double, std::size_t>> states;
    for (std::size_t i = 0; i < sim::stall_count; ++i)
        if (const auto warps = launch.kernel.metrics.find(sim::stall_ratio(static_cast<sim::Stall>(i)));
            warps && *warps > 0)
            states.emplace_back(*warps, i);
    std::stable_sort(states.begin(), states.end(),
                     [](const auto& left, const auto& right) { return left.first > right.first; });
    Spec values = Spec::array();
    for (const auto& [warps, i] : states) {
        const sim::StallRow& row = sim::stall_rows[i];
        values.push_back({{"state", row.name},
                          {"warps", warps},
                          {"issues", i == sim::index_of(sim::Stall::selected) ? "issues" : "waits"},
                          {"the warp", row.meaning}});
    }
    return bars(std::move(values), {.name = "state",
                                    .value = "warps",
                                    .x = "cycles of a warp for each instruction issued",
                                    .color = "issues",
                                    .format = ".3~g"});
}

}  // namespace sassafras::cli::charts
