// The options of a search for a worst or best input: of workloads and of a user's kernel.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cli/options/options.hpp"
#include "cli/reports/case_report.hpp"
#include "core/result.hpp"
#include "study/adversary/input_search.hpp"

namespace sassafras::cli {

/// --metric, --values, --evaluations, --minutes, --resume, --patience, and those of the device that measures.
void add_input_search_options(CLI::App& command, study::adversary::SearchPlan& plan, MeasureOptions& measure);

/// Error bad_input if an option of a search is given without --metric.
[[nodiscard]] Result<void> check_no_search(const GivenOptions& given);

/// Runs the search on the device that was chosen, says how it goes, and delivers the report, which the search fills.
/// Gives the exit status.
[[nodiscard]] Result<int> run_search(const study::adversary::SearchSubject& subject, ChosenDevice chosen,
                                     const MeasureOptions& measure, const study::adversary::SearchPlan& plan,
                                     CaseReport report);

/// Error bad_input if the file cannot be written; none is asked for where its name is empty.
[[nodiscard]] Result<ReservedOutput> reserve_case_file(const std::string& path);

/// Gives the exit status. A console that takes JSON has the text, too.
[[nodiscard]] Result<int> deliver_case(const CaseReport& report, const MeasureOptions& measure);

}  // namespace sassafras::cli
