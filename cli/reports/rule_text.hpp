// What rules say, on the details page and in JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "sim/metrics/metric_row.hpp"
#include "study/rules/rule.hpp"

namespace sassafras::cli {

/// The findings of a section as Nsight Compute prints them under its table: the kind, the estimate, the text in lines
/// of at most 100 columns. Empty if there are none.
[[nodiscard]] std::string rules_under(const study::LaunchRules& rules, sim::Section section);

/// "Est. Speedup: 12.34%. ", or "At most 12.34%. "; empty if nothing is estimated.
[[nodiscard]] std::string estimate_text(const study::RuleFinding& finding);

/// `verdict`, `bound` and `rules` of a kernel.
void put_rules_json(const study::LaunchRules& rules, nlohmann::ordered_json& kernel);

/// Text in lines of at most `columns`, each behind so many spaces.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns);

}  // namespace sassafras::cli
