// How long the runs of a study will take, by those that were timed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "study/sweep/study_folder.hpp"

namespace sassafras::study::sweep {

struct TimeEstimate {
    double seconds = 0;       ///< of one processor, for all runs that are left
    std::uint64_t timed = 0;  ///< runs that say so
};

/// A product of powers of the parameters that are numbers, fitted to the runs that were timed, apart for each
/// combination of what is text; where they cannot tell, their mean. Empty if none of the study's runs was timed.
/// `states` is study.states().
[[nodiscard]] std::optional<TimeEstimate> estimate_time(const StudyFolder& study, const RunStore::States& states);

/// Runs to time first, without a result yet: of each combination of text the one with the first value of each
/// parameter, and of the first combination one for each parameter that is a number, with a later value of it.
[[nodiscard]] std::vector<Task> pilots(const StudyFolder& study);

}  // namespace sassafras::study::sweep
