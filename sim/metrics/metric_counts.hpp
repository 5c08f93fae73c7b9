// Counters of events while a launch runs: one for each metric that is counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "sim/metrics/metric_list.hpp"

namespace sassafras::sim {

/// Not of those of the full set, which are computed when a launch has ended.
/// `counts["dram__bytes_read.sum"_metric] += bytes` is one addition: the number of the row is known at compile time.
class MetricCounts {
  public:
    [[nodiscard]] std::uint64_t& operator[](MetricId id) { return values_[place(id)]; }
    [[nodiscard]] std::uint64_t operator[](MetricId id) const { return values_[place(id)]; }

    MetricCounts& operator+=(const MetricCounts& other) {
        for (std::size_t i = 0; i < counted_metrics; ++i) values_[i] += other.values_[i];
        return *this;
    }

  private:
    /// Nothing where the metric is a literal: the compiler knows the answer.
    static std::size_t place(MetricId id) {
        if (id.index >= counted_metrics) throw std::out_of_range("a metric that is not counted");
        return id.index;
    }

    std::array<std::uint64_t, counted_metrics> values_{};
};

}  // namespace sassafras::sim
