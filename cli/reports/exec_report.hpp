// The report of a program's launches.
#pragma once

#include <vector>

#include "cli/options/options.hpp"
#include "cli/reports/report.hpp"
#include "cudart/protocol/launch_record.hpp"

namespace sassafras::cli {

/// A row a launch: kernel, grid, block, cycles, time, instructions. Columns that the device does not measure are left
/// out. A launch that failed has no metrics: its row says so, where it stood.
[[nodiscard]] std::string summary_table(const Report& report, const std::vector<cudart::FailedLaunch>& failed);

/// As deliver, with the page `summary`; the other pages name launches that failed at their end.
[[nodiscard]] Result<void> deliver_program(const Report& report, const std::vector<cudart::FailedLaunch>& failed,
                                           const MeasureOptions& options);

}  // namespace sassafras::cli
