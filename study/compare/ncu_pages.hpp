// What Nsight Compute writes with --csv, page by page.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "study/compare/measured_report.hpp"
#include "study/diagnose/csv_rows.hpp"

namespace sassafras::study {

/// The pages `raw` (a row a launch, units below the names), `details` (a row a metric; labels that one metric has
/// become its name, others stay) and `source` with SASS (a table a launch). Values are converted to base units;
/// what is no number (texts, "nan", "n/a") is left out. Error bad_input, naming `file`: it is none of them, or has no
/// launch.
[[nodiscard]] Result<MeasuredReport> read_ncu_page(const std::vector<CsvRow>& rows, const std::string& file);

/// Puts the instructions of a source page into the launches of another page, by kernel and order. Error bad_input if
/// the two are not of one recording.
[[nodiscard]] Result<void> add_source_page(MeasuredReport& report, const MeasuredReport& source);

}  // namespace sassafras::study
