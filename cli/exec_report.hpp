// The report of a program's launches.
#pragma once

#include "cli/options.hpp"
#include "cli/report.hpp"

namespace sassafras::cli {

/// A row a launch: kernel, grid, block, cycles, time, instructions. Columns that the device does not measure are left
/// out.
[[nodiscard]] std::string summary_table(const Report& report);

/// As deliver, with the page `summary`.
[[nodiscard]] Result<void> deliver_program(const Report& report, const MeasureOptions& options);

}  // namespace sassafras::cli
