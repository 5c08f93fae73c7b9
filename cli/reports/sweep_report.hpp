// What `sassafras sweep` says of a study as text, JSON and drawings.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/reports/sweep_figures.hpp"
#include "study/sweep/study_folder.hpp"
#include "study/sweep/table.hpp"
#include "study/sweep/time_estimate.hpp"

namespace sassafras::cli {

/// "6 runs: 4 done, 1 failed, 1 left\n"; and of the first that failed, what it is and why.
[[nodiscard]] std::string status_text(const study::sweep::StudyFolder& study,
                                      const study::sweep::RunStore::States& states);
/// {"sassafras", "study", "rows", "runs", "done", "failed", "damaged", "left", "processor_seconds_left"}: rows of the
/// table, and runs, which are more where launches are split; seconds null where nothing was timed.
[[nodiscard]] std::string status_json(const study::sweep::StudyFolder& study, const study::sweep::Status& status,
                                      const std::optional<study::sweep::TimeEstimate>& left);

/// How many runs are left out and why, as text that ends with a line's end; empty if none is. `number` is what those
/// lack that are done.
[[nodiscard]] std::string left_out_text(const CountedRows& counted, const std::string& number);
/// A row a run of the fronts, with its parameters.
[[nodiscard]] std::string front_table(const study::sweep::Table& table, const StudyFront& front);
/// A row a parameter, greatest effect first, with a bar; below it the parameters that have none, and why.
[[nodiscard]] std::string sensitivity_table(const StudySensitivity& sensitivity);

/// {"goals", "columns", "groups": [{"work", "runs", "front", "equal"}], "left_out_runs"}: runs by their numbers.
[[nodiscard]] nlohmann::ordered_json front_json(const StudyFront& front);
/// {"column", "samples", "explained", "elasticities": [{"name", "value", "margin"}], "left_out": [{"name", "why"}],
/// "left_out_runs"}; the margin is null where it is not known.
[[nodiscard]] nlohmann::ordered_json sensitivity_json(const StudySensitivity& sensitivity);

/// As SVG, those that are there one below the other: a bar a parameter (class "bar") with its 95 % interval
/// ("interval"); a dot a run ("run", or "front" of a run of the front), the first goal upwards, the second to the
/// right. A front without a second goal has no drawing.
[[nodiscard]] std::string study_svg(const study::sweep::Table& table,
                                    const std::optional<StudySensitivity>& sensitivity,
                                    const std::optional<StudyFront>& front);

}  // namespace sassafras::cli
