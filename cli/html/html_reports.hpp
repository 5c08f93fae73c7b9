// The page of each kind of report.
#pragma once

#include "cli/html/chart_list.hpp"
#include "cli/html/chart_sources.hpp"
#include "cli/html/html_page.hpp"

namespace sassafras::cli {

[[nodiscard]] HtmlPage page_of(const RunSource& run);
[[nodiscard]] HtmlPage page_of(const ConflictReport& report);
[[nodiscard]] HtmlPage page_of(const ValidateReport& report);
[[nodiscard]] HtmlPage page_of(const EstimateReport& report);
[[nodiscard]] HtmlPage page_of(const SeriesReport& report);

/// The charts of a run, and those of its longest launch: what --svg writes.
[[nodiscard]] std::vector<Chart> figures_of(const RunSource& run);

}  // namespace sassafras::cli
