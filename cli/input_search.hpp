// Searching for a worst or best input by running a workload again and again: worst-case and best-case with --metric.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/options.hpp"
#include "core/result.hpp"
#include "workloads/adversary/sort_input.hpp"
#include "workloads/workload.hpp"

namespace sassafras::cli {

struct InputSearchOptions {
    std::string metric;  ///< empty: no search
    std::optional<std::uint64_t> evaluations;
    std::optional<double> minutes;
    std::string resume;
    std::uint64_t patience = 2000;
};

/// --metric, --evaluations, --minutes, --resume, --patience, and those of the device that measures.
void add_input_search_options(CLI::App& command, InputSearchOptions& options, MeasureOptions& measure);

/// Error bad_input if an option of a search is given without --metric.
[[nodiscard]] Result<void> check_no_search(const InputSearchOptions& options);

/// Runs the search and writes the best input found. Gives the exit status.
[[nodiscard]] Result<int> search_input(workloads::adversary::Goal goal, const workloads::WorkloadRequest& request,
                                       const MeasureOptions& measure, const InputSearchOptions& options,
                                       const std::string& output);

}  // namespace sassafras::cli
