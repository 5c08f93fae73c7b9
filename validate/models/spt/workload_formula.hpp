// Which formula describes a workload as it would run.
#pragma once

#include <optional>

#include "core/result.hpp"
#include "validate/models/spt/formulas.hpp"
#include "workloads/selection.hpp"

namespace sassafras::validate::spt {

/// What a formula cannot know: mean accesses a request to shared memory, one and more. Empty: the thesis' own for
/// mergesort (3.1 and 2.2), none elsewhere.
struct Betas {
    std::optional<double> search;  ///< beta_1; for pbs-cl of its second stage
    std::optional<double> merge;   ///< beta_2
};

/// Error bad_input if there is no formula for the variant (the remedy lists those that have one), or none for the size.
[[nodiscard]] Result<Algorithm> formula_of(const std::string& workload, const workloads::Selection& selection,
                                           const Instance& instance, Reading reading, const Betas& betas);

}  // namespace sassafras::validate::spt
