// Estimates of a series: --n 2^10..2^28, --E 2..63:+1, --K 2,4,8.
#pragma once

#include "cli/commands/estimate_point.hpp"
#include "cli/reports/series_report.hpp"

namespace sassafras::cli {

struct SeriesAxis {
    std::string name;  ///< "n", "E"
    std::vector<std::uint64_t> values;
};

/// What the options vary, in the order given; the other parameters and --n stay in `fixed`. Error bad_input as
/// parse_series, or if together they are more points than a series has.
[[nodiscard]] Result<std::vector<SeriesAxis>> series_axes(const EstimateOptions& options, WorkloadOptions& fixed);

/// A row a point, the last axis quickest. What a model refuses at a point is the row's reason. Errors: what it refuses
/// at every point; check_failed if a functional run's result is wrong.
[[nodiscard]] Result<SeriesReport> estimate_series(const EstimateOptions& options, const WorkloadOptions& fixed,
                                                   const std::vector<SeriesAxis>& axes,
                                                   const validate::spt::Instance& instance);

}  // namespace sassafras::cli
