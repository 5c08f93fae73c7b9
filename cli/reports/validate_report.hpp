// What `sassafras validate` prints, in its three forms.
#pragma once

#include <string>
#include <vector>

#include "validate/compare/platform_comparison.hpp"

namespace sassafras::cli {

struct ValidateReport {
    std::vector<std::string> command;
    std::vector<validate::PlatformComparison> platforms;
};

/// For each platform: a line a run, estimates of SPT; the rivals'; a line a model; findings.
[[nodiscard]] std::string to_table(const ValidateReport& report);
/// A row for each run and model, with rows for the simulator and the hardware.
[[nodiscard]] std::string to_csv(const ValidateReport& report);
[[nodiscard]] std::string to_json(const ValidateReport& report);

}  // namespace sassafras::cli
