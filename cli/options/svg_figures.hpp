// Charts as files, drawn by Vega-Lite, which node runs.
#pragma once

#include <string>
#include <vector>

#include "cli/html/chart.hpp"
#include "core/result.hpp"

namespace sassafras::cli {

/// Error bad_input, with what to do: node is not there, or the folder cannot be made.
[[nodiscard]] Result<void> check_figures(const std::string& folder);
/// NAME.svg and NAME.vl.json of each chart. Errors: bad_input as above, or what node says.
[[nodiscard]] Result<void> write_figures(const std::vector<Chart>& charts, const std::string& folder);

}  // namespace sassafras::cli
