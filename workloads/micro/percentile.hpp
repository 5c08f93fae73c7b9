// Percentiles and means of samples.
#pragma once

#include <vector>

namespace sassafras::workloads::micro {

/// The smallest sample that at least `percent` percent of all are not greater than; 0 without samples.
[[nodiscard]] double percentile(std::vector<double> samples, double percent);
/// 0 without samples.
[[nodiscard]] double mean(const std::vector<double>& samples);

}  // namespace sassafras::workloads::micro
