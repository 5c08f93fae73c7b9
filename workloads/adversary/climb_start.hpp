// What a climb begins with, and what it may do, for each workload that takes numbers of one's own.
#pragma once

#include "core/result.hpp"
#include "workloads/adversary/hill_climb.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::adversary {

struct ClimbStart {
    Numbers numbers;
    ClimbRules rules;
    WorkloadRequest request;  ///< complete: to be run with `keys` set to a candidate
};

/// More numbers are refused: a climb over as many finds little.
inline constexpr std::uint64_t greatest_climb = 1U << 20U;

/// The request's own numbers, or those that its kind of input makes. Error bad_input: the request is none of the
/// workload's, the workload takes no numbers of 32 bits, or there are too many.
[[nodiscard]] Result<ClimbStart> begin_climb(const WorkloadRequest& request, Goal goal);

}  // namespace sassafras::workloads::adversary
