// Simulated metrics other than cycles against measured ones, by metric, and how warp time divides into stall reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "validate/records/measured.hpp"

namespace sassafras::validate {

/// One metric of one launch.
struct MetricPair {
    std::string where;  ///< "gemm naive n=512, launch 0, gemm_naive"
    double measured = 0;
    double simulated = 0;

    /// In percent of measured; of a measured 0 it is 0 if both are, else 100.
    [[nodiscard]] double error_percent() const;
};

/// Launches' pairs by metric.
struct MetricComparison {
    sim::MetricId metric;
    std::vector<MetricPair> launches;
};

/// How far a value may be from the hardware's to count as near it.
inline constexpr double metric_tolerance_percent = 5;

/// Adds one run's launches to `comparisons`: every metric under one name in metrics.csv and in the simulator's results,
/// but cycles elapsed, duration and the stall reasons, which stall_difference compares. Error check_failed if the
/// launches are not the same kernels in the same order.
[[nodiscard]] Result<void> add_metrics(std::vector<MetricComparison>& comparisons, const MeasuredRun& measured,
                                       std::span<const sim::KernelResult> simulated);

/// The share of all values that are within metric_tolerance_percent; 0 of none.
[[nodiscard]] double within_tolerance_percent(std::span<const MetricComparison> comparisons);

/// A stall reason's share of a launch's warp time, in percent, measured and simulated.
struct StallShare {
    std::string reason;  ///< sim::stall_names
    double measured = 0;
    double simulated = 0;
};

/// All reasons of one launch, in the order of sim::Stall.
struct StallShares {
    std::string where;
    std::vector<StallShare> reasons;

    /// The part of warp time, in percent, that the simulator gives another reason than the hardware.
    [[nodiscard]] double moved_percent() const;
};

/// Launches whose record has the reasons. Error check_failed as add_metrics.
[[nodiscard]] Result<std::vector<StallShares>> compare_stalls(const MeasuredRun& measured,
                                                              std::span<const sim::KernelResult> simulated);

}  // namespace sassafras::validate
