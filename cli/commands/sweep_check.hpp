// Whether the runs of a study would be taken, before any is made.
#pragma once

#include "core/result.hpp"
#include "study/sweep/study_folder.hpp"

namespace sassafras::cli {

/// As the command line would take one run of each command; and of each value of a number of the GPU, whether any run
/// that has it is of a GPU that can be. None is made. Error bad_input.
[[nodiscard]] Result<void> check_study(const study::sweep::StudyFolder& study);

}  // namespace sassafras::cli
