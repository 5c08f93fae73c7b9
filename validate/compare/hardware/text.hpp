// The comparisons as text: tables for people, CSV for programs.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "validate/compare/hardware/counts.hpp"
#include "validate/compare/hardware/cycles.hpp"
#include "validate/compare/hardware/metrics.hpp"

namespace sassafras::validate {

/// "agree N of M" a kernel, followed by its first `shown` differences.
[[nodiscard]] std::string counts_table(const MeasuredRun& run, std::span<const KernelCounts> kernels,
                                       std::size_t shown);

[[nodiscard]] std::string cycles_csv(std::span<const CycleComparison> comparisons);
[[nodiscard]] std::string cycles_table(std::span<const CycleComparison> comparisons);
/// "mean absolute error ... greatest ...", with what `comparisons` are called.
[[nodiscard]] std::string summary_line(std::span<const CycleComparison> comparisons, const std::string& called);

/// A row a metric: launches, those that are equal and within metric_tolerance_percent, and the errors' median, 90th
/// percentile and greatest; then the same of all values.
[[nodiscard]] std::string metrics_table(std::span<const MetricComparison> metrics);
/// A row a metric and launch.
[[nodiscard]] std::string metrics_csv(std::span<const MetricComparison> metrics);
/// A row a stall reason: its mean share of warp time on both sides; then how much is moved in a launch.
[[nodiscard]] std::string stalls_table(std::span<const StallShares> launches);
/// A row a reason and launch.
[[nodiscard]] std::string stalls_csv(std::span<const StallShares> launches);

}  // namespace sassafras::validate
