// A launch out of a report file, as JSON; and that report in the form in which ours are.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "study/compare/measured_report.hpp"

namespace sassafras::cli {

/// Name, grid, block.
[[nodiscard]] nlohmann::ordered_json launch_head(const study::MeasuredLaunch& launch);

/// Of the kind "launches". `files`: what it was read from.
[[nodiscard]] std::string to_json(const study::MeasuredReport& report, const std::vector<std::string>& command,
                                  const std::vector<std::string>& files);
/// A row a launch: how much is known of it.
[[nodiscard]] std::string to_table(const study::MeasuredReport& report);

}  // namespace sassafras::cli
