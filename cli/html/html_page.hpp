// A report as one file of HTML that needs nothing else: data, scripts and style are in it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/html/chart.hpp"
#include "core/result.hpp"

namespace sassafras::cli {

struct HtmlPage {
    std::string title;
    std::string verdict;  ///< a sentence; empty for none
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<std::string> notes;  ///< what is left out
    std::vector<Chart> charts;       ///< of the whole report
    std::string launches = "null";   ///< JSON: html_launches()
    std::string sources = "[]";      ///< JSON: html_sources()
};

/// Error not_modelled, with what to do, if the program was built without the scripts that draw.
[[nodiscard]] Result<void> check_chart_scripts();

/// The same bytes for the same page. Names in it are text, whatever they hold.
[[nodiscard]] std::string html_text(const HtmlPage& page);

/// A chart's values as the page keeps them: of each list the names of its fields ("f") and its rows without them ("r").
[[nodiscard]] nlohmann::ordered_json packed_values(const nlohmann::ordered_json& datasets);

/// Fields that every report has.
[[nodiscard]] std::pair<std::string, std::string> command_fact(const std::vector<std::string>& command);

}  // namespace sassafras::cli
