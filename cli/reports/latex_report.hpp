// The details page's tables for a paper.
#pragma once

#include <string>
#include <string_view>

#include "cli/reports/report.hpp"

namespace sassafras::cli {

/// A fragment to \input: a table environment for each section of each launch, which needs the package booktabs and
/// nothing else.
[[nodiscard]] std::string to_latex(const Report& report);

/// The text as LaTeX prints it, none of its characters a command.
[[nodiscard]] std::string latex_text(std::string_view text);

}  // namespace sassafras::cli
