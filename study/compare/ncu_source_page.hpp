// The source page of Nsight Compute: a table of instructions a launch.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "study/compare/measured_report.hpp"
#include "study/diagnose/csv_rows.hpp"

namespace sassafras::study {

/// "1,234.5" and "12 (3; 4)" as numbers; none for a text or what is not finite.
[[nodiscard]] std::optional<double> ncu_number(std::string_view text);

[[nodiscard]] bool is_source_page(const std::vector<CsvRow>& rows);

/// Tables with a column of SASS; version 2025.3 writes each of them twice, and one behind another that is equal counts
/// once. Those of --print-source cuda,sass leave out instructions and say others again: they are none.
[[nodiscard]] std::vector<MeasuredLaunch> source_launches(const std::vector<CsvRow>& rows);

}  // namespace sassafras::study
