// `sassafras best-case permutation`: words of shared memory moved along a permutation, scheduled without conflicts.
#pragma once

#include <string>

#include "cli/workload_options.hpp"
#include "core/result.hpp"

namespace sassafras::cli {

/// Reads the permutation that --input names (a file of 32-bit numbers: where each word goes), schedules it, checks the
/// schedule and writes it to `output`: JSON if it is called .json, else CSV. Gives the exit status.
[[nodiscard]] Result<int> schedule_case(const WorkloadOptions& options, const std::string& output);

}  // namespace sassafras::cli
