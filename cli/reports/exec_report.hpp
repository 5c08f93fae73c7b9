// The report of a program's launches.
#pragma once

#include <string>
#include <vector>

#include "cli/reports/report.hpp"
#include "cudart/protocol/launch_record.hpp"

namespace sassafras::cli {

/// A row a launch: kernel, grid, block, cycles, time, instructions. Columns that the device does not measure are left
/// out. A launch that failed has no metrics: its row says so, where it stood.
[[nodiscard]] std::string summary_table(const Report& report, const std::vector<cudart::FailedLaunch>& failed);

/// A line a launch that failed, for below the other pages.
[[nodiscard]] std::string failed_lines(const std::vector<cudart::FailedLaunch>& failed);

}  // namespace sassafras::cli
