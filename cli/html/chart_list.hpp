// The charts of each report, in the order in which they are shown: a new one is a file in charts/, its declaration in
// charts/charts.hpp and a row in chart_list.cpp.
#pragma once

#include <span>

#include "cli/html/chart.hpp"
#include "cli/html/chart_sources.hpp"
#include "cli/reports/conflict_report.hpp"
#include "cli/reports/estimate_report.hpp"
#include "cli/reports/series_report.hpp"
#include "cli/reports/validate_report.hpp"

namespace sassafras::cli {

[[nodiscard]] std::span<const ChartRow<RunSource>> run_charts();
[[nodiscard]] std::span<const ChartRow<LaunchSource>> launch_charts();
[[nodiscard]] std::span<const ChartRow<ConflictReport>> conflict_charts();
[[nodiscard]] std::span<const ChartRow<ValidateReport>> validate_charts();
[[nodiscard]] std::span<const ChartRow<EstimateReport>> estimate_charts();
[[nodiscard]] std::span<const ChartRow<SeriesReport>> series_charts();

}  // namespace sassafras::cli
