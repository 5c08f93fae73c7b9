// `sassafras best-case permutation`: words of shared memory moved along a permutation, scheduled without conflicts.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "core/result.hpp"

namespace sassafras::cli {

struct PermutationOptions {
    std::string input;
    std::string input_type;  ///< of a raw file's numbers; empty: u4
    std::string output;
};

/// --input, --input-type, -o.
void add_permutation_options(CLI::App& command, PermutationOptions& options);

/// Reads the permutation (a file of whole numbers: where each word goes), schedules it, checks the schedule and writes
/// it to the output: JSON if it is called .json, else CSV. Gives the exit status.
[[nodiscard]] Result<int> schedule_case(const PermutationOptions& options, const Console& console);

}  // namespace sassafras::cli
