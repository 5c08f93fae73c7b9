// The metrics of a launch as values: what is known of it, by metric.
#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/metrics/metric_counts.hpp"
#include "sim/metrics/metric_list.hpp"

namespace sassafras::sim {

class MetricSet {
  public:
    MetricSet() = default;
    MetricSet(std::initializer_list<std::pair<MetricId, double>> values) {
        for (const auto& [id, value] : values) put(id, value);
    }

    void put(MetricId id, double value) {
        values_[id.index] = value;
        known_.set(id.index);
    }
    void erase(MetricId id) {
        values_[id.index] = 0;
        known_.reset(id.index);
    }
    /// None if the device does not know it.
    [[nodiscard]] std::optional<double> find(MetricId id) const {
        return known_[id.index] ? std::optional(values_[id.index]) : std::nullopt;
    }
    [[nodiscard]] bool empty() const { return known_.none(); }

    /// Those that are known and printed, in the order of the list.
    [[nodiscard]] std::vector<std::pair<MetricId, double>> reported() const;
    /// Those and the parts of ratios.
    [[nodiscard]] std::vector<std::pair<MetricId, double>> all() const;

    /// Computes each ratio whose parts and wholes are known.
    void add_ratios();

    friend bool operator==(const MetricSet&, const MetricSet&) = default;

  private:
    std::array<double, metric_count> values_{};  ///< 0 where it is not known
    std::bitset<metric_count> known_;
};

/// Adds the counted metrics that a device knows which executes, or executes and times.
void add_counts(MetricSet& metrics, const MetricCounts& counts, KnownBy known_by);

/// The value of a ratio whose parts have these values; none if one of them has none.
[[nodiscard]] std::optional<double> ratio_of(MetricId id,
                                             const std::function<std::optional<double>(MetricId)>& value_of);

/// A ratio's formula as people read it: "100 * A / (B + C)".
[[nodiscard]] std::string formula_text(const MetricRow& row);

}  // namespace sassafras::sim
