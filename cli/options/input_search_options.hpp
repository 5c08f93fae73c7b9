// The options of a search for a worst or best input: of workloads and of a user's kernel.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cli/options/options.hpp"
#include "core/result.hpp"
#include "study/adversary/input_search.hpp"

namespace sassafras::cli {

/// --metric, --values, --evaluations, --minutes, --resume, --patience, and those of the device that measures.
void add_input_search_options(CLI::App& command, study::adversary::SearchPlan& plan, MeasureOptions& measure);

/// Error bad_input if an option of a search is given without --metric.
[[nodiscard]] Result<void> check_no_search(const GivenOptions& given);

/// Runs the search on the device that was chosen, says how it goes and what it found, and how to run that. Gives the
/// exit status.
[[nodiscard]] Result<int> run_search(const study::adversary::SearchSubject& subject, ChosenDevice chosen,
                                     const MeasureOptions& measure, const study::adversary::SearchPlan& plan,
                                     const std::string& output);

}  // namespace sassafras::cli
