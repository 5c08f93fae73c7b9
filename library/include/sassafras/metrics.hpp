// What is counted of a launch, under Nsight Compute's names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sassafras/namespace.hpp>

namespace sassafras::SASSAFRAS_VERSIONED {
struct MetricInfo {
    std::string name;     ///< "sm__cycles_elapsed.max"
    std::string unit;     ///< "cycle", "byte", "%"; empty for a bare number
    std::string meaning;  ///< one line
};

/// Every metric that a simulated device has, in the order of docs/metrics.md.
[[nodiscard]] const std::vector<MetricInfo>& metric_list();

struct Metric {
    std::string name;
    double value = 0;  ///< in the unit of its MetricInfo
};

/// The metrics of one launch.
struct Metrics {
    std::vector<Metric> values;  ///< those that the device knows, in the order of metric_list

    /// None if there is no such metric, or if the device does not know it.
    [[nodiscard]] std::optional<double> find(std::string_view name) const {
        for (const Metric& metric : values)
            if (metric.name == name) return metric.value;
        return std::nullopt;
    }
};

}  // namespace sassafras::SASSAFRAS_VERSIONED
