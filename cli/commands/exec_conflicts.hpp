// `exec --conflicts`: the bank conflicts of a program's kernels.
#pragma once

#include <string>
#include <vector>

#include "cli/options/conflict_options.hpp"
#include "cli/options/options.hpp"
#include "core/result.hpp"

namespace sassafras::cli {

/// Runs the program, counts, and delivers the report; the value is the exit status.
[[nodiscard]] Result<int> exec_conflicts(const std::vector<std::string>& program, const MeasureOptions& measure,
                                         const ConflictCommandOptions& conflicts,
                                         const std::vector<std::string>& command);

}  // namespace sassafras::cli
