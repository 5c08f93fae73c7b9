// What differs between two reports: launch by launch, metric by metric.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/text_pattern.hpp"
#include "study/compare/match_launches.hpp"

namespace sassafras::study {

struct MetricChange {
    std::string name;
    std::string unit;
    double a = 0;
    double b = 0;
    std::optional<double> percent;  ///< (b - a) / |a|; none: a is 0 and b is not

    [[nodiscard]] double size() const;  ///< |percent|, infinite where there is none
};

struct LaunchDifference {
    LaunchPair pair;
    bool is_same_shape = true;          ///< grid and block, as far as both are known
    std::vector<MetricChange> changes;  ///< above the threshold, the largest first, then in the first report's order
    std::size_t equal = 0;              ///< metrics without a change
    std::size_t below = 0;              ///< with one up to the threshold
    std::vector<std::string> only_a;    ///< metrics that the other launch has not
    std::vector<std::string> only_b;
    std::vector<std::string> other_unit;  ///< metrics that cannot be compared
};

struct ReportDifference {
    std::vector<LaunchDifference> launches;
    std::vector<std::size_t> only_a;  ///< launches
    std::vector<std::size_t> only_b;
    std::size_t compared = 0;  ///< metrics of all pairs

    /// Of any compared metric, also one below the threshold; infinite: something was 0 and is no longer.
    double largest_percent = 0;
};

/// Metrics that one of `metrics` matches, all if there is none. Changes up to `threshold_percent` are only counted.
[[nodiscard]] ReportDifference difference(const MeasuredReport& a, const MeasuredReport& b,
                                          const std::vector<TextPattern>& metrics, double threshold_percent);

}  // namespace sassafras::study
