// --print-summary per-kernel: what the launches of each kernel have in common.
#pragma once

#include <string>

#include "cli/reports/report.hpp"

namespace sassafras::cli {

/// A row a kernel, in the order of their first launches: launches, cycles, time. With --metrics a table a kernel, of
/// these, or of all.
[[nodiscard]] std::string kernels_table(const Report& report, bool all_metrics);
/// Every metric, or those of --metrics: a row each for each kernel.
[[nodiscard]] std::string kernels_csv(const Report& report);
[[nodiscard]] nlohmann::ordered_json kernels_json(const Report& report);

}  // namespace sassafras::cli
