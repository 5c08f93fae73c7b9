// What `diff` says of two reports.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "study/compare/difference.hpp"

namespace sassafras::cli {

struct DifferenceReport {
    std::vector<std::string> command;
    study::MeasuredReport a;
    study::MeasuredReport b;
    study::ReportDifference difference;
    double threshold_percent = 0;
    std::optional<double> fail_above_percent;
    std::size_t most_rows = 0;  ///< of a launch in the table; 0: all

    /// A change is larger than fail_above_percent, or a launch has no pair.
    [[nodiscard]] bool fails() const;
};

/// By launch, the largest changes first.
[[nodiscard]] std::string to_table(const DifferenceReport& report);
/// A row a change; launches and metrics of one report only are rows with one value.
[[nodiscard]] std::string to_csv(const DifferenceReport& report);
[[nodiscard]] std::string to_json(const DifferenceReport& report);

}  // namespace sassafras::cli
