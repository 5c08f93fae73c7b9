// The comparisons as text: tables for people, CSV for programs.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "validate/compare/hardware/counts.hpp"
#include "validate/compare/hardware/cycles.hpp"

namespace sassafras::validate {

/// "agree N of M" a kernel, followed by its first `shown` differences.
[[nodiscard]] std::string counts_table(const MeasuredRun& run, std::span<const KernelCounts> kernels,
                                       std::size_t shown);

[[nodiscard]] std::string cycles_csv(std::span<const CycleComparison> comparisons);
[[nodiscard]] std::string cycles_table(std::span<const CycleComparison> comparisons);
/// "mean absolute error ... greatest ...", with what `comparisons` are called.
[[nodiscard]] std::string summary_line(std::span<const CycleComparison> comparisons, const std::string& called);

}  // namespace sassafras::validate
