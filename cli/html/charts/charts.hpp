// The specification of each chart; the rows of chart_list.cpp say what they show.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/html/chart_sources.hpp"
#include "cli/reports/conflict_report.hpp"
#include "cli/reports/estimate_report.hpp"
#include "cli/reports/series_report.hpp"
#include "cli/reports/validate_report.hpp"

namespace sassafras::cli::charts {

using Spec = nlohmann::ordered_json;

[[nodiscard]] Spec time_parts(const RunSource& run);
[[nodiscard]] Spec timeline(const RunSource& run);
[[nodiscard]] Spec kernels(const RunSource& run);
[[nodiscard]] Spec launches(const RunSource& run);

[[nodiscard]] Spec speed_of_light(const LaunchSource& launch);
[[nodiscard]] Spec roofline(const LaunchSource& launch);
[[nodiscard]] Spec memory(const LaunchSource& launch);
[[nodiscard]] Spec warp_states(const LaunchSource& launch);
[[nodiscard]] Spec pipes(const LaunchSource& launch);
[[nodiscard]] Spec occupancy(const LaunchSource& launch);

[[nodiscard]] Spec banks_by_round(const ConflictReport& report);
[[nodiscard]] Spec conflicts_by_phase(const ConflictReport& report);
[[nodiscard]] Spec conflicts_by_round(const ConflictReport& report);
[[nodiscard]] Spec conflicts_by_size(const ConflictReport& report);

[[nodiscard]] Spec measured_against_simulated(const ValidateReport& report);
[[nodiscard]] Spec errors(const ValidateReport& report);

[[nodiscard]] Spec estimate_parts(const EstimateReport& report);
[[nodiscard]] Spec series_parts(const SeriesReport& report);
[[nodiscard]] Spec series_shares(const SeriesReport& report);

}  // namespace sassafras::cli::charts
