// What the details page shows: --section, beside --set; and --clock-control, of which the model has one kind.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/reports/details_view.hpp"
#include "core/result.hpp"
#include "core/staged_file.hpp"

namespace sassafras::cli {

struct MeasureOptions;
struct Report;

struct DetailsOptions {
    std::vector<std::string> sections;   ///< --section, as given
    std::string clock_control = "base";  ///< says nothing: the model's clock is always the platform's
    std::string latex;                   ///< --latex; empty: none
    /// From check_details on, of a pipe or device that --latex names.
    std::shared_ptr<ReservedOutput> latex_place = std::make_shared<ReservedOutput>();
};

/// --section, --clock-control, --latex.
void add_details_options(CLI::App& command, DetailsOptions& options);

/// The sections that words name: Nsight Compute's identifiers, what the page calls them, or regex:EXPRESSION of either.
/// Error bad_input if a word names none, with the nearest that there are.
[[nodiscard]] Result<std::vector<sim::Section>> parse_sections(const std::vector<std::string>& words);

/// Error bad_input if --section names none, or none is printed, or --latex cannot be written.
[[nodiscard]] Result<void> check_details(const MeasureOptions& options);

/// Writes what --latex asks for.
[[nodiscard]] Result<void> deliver_latex(const Report& report, const MeasureOptions& options);

/// Tells the report what its details page shows, and keeps for that page alone what nobody else has asked for, so that
/// the report's other forms are as without it.
void set_aside_full_set(Report& report, const MeasureOptions& options);

}  // namespace sassafras::cli
