// What `sassafras validate` prints, in its three forms.
#pragma once

#include <string>
#include <vector>

#include "validate/compare/comparison.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::cli {

struct PlatformComparison {
    std::string platform;
    std::string hash;  ///< of the modelled GPU
    validate::spt::Instance instance;
    std::string measured;  ///< "recorded"; the GPU's name if measured now; empty if not measured
    std::vector<validate::Comparison> runs;
};

struct ValidateReport {
    std::vector<std::string> command;
    std::vector<PlatformComparison> platforms;
};

/// For each platform: a line a run, estimates of SPT; the rivals'; a line a model; findings.
[[nodiscard]] std::string to_table(const ValidateReport& report);
/// A row for each run and model, with rows for the simulator and the hardware.
[[nodiscard]] std::string to_csv(const ValidateReport& report);
[[nodiscard]] std::string to_json(const ValidateReport& report);

}  // namespace sassafras::cli
