// What a study's table says at a glance: its Pareto front, and what each parameter does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "study/sweep/study_folder.hpp"
#include "study/sweep/table.hpp"
#include "study/sweep/time_estimate.hpp"

namespace sassafras::cli {

/// {"sassafras", "study", "rows", "runs", "done", "failed", "left", "processor_seconds_left"}: rows of the table, and
/// runs, which are more where launches are split; seconds null where nothing was timed.
[[nodiscard]] std::string status_json(const study::sweep::StudyFolder& study, const study::sweep::Status& status,
                                      const std::optional<study::sweep::TimeEstimate>& left);

/// The runs that no other beats in `best` and all of `costs`, each as small as can be, with their parameters: for each
/// combination of what is in the columns `by` apart. If `by` is empty, and the study varies numbers of the GPU, those
/// are its options: designs are compared that did the same work. Error bad_input: no such column, or no numbers in it.
[[nodiscard]] Result<std::string> pareto_table(const study::sweep::StudyFolder& study, const study::sweep::Table& table,
                                               const std::string& best, const std::vector<std::string>& costs,
                                               const std::vector<std::string>& by);

/// By how many per cent `result` changes where a parameter changes by one, with a bar for each; the parameters are
/// those of the study that are numbers. Errors: bad_input as study::fit_elasticities.
[[nodiscard]] Result<std::string> sensitivity_table(const study::sweep::StudyFolder& study,
                                                    const study::sweep::Table& table, const std::string& result);

}  // namespace sassafras::cli
