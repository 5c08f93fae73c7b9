// What a climb begins with, and what it may do, for each workload that takes numbers of one's own.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.hpp"
#include "study/adversary/hill_climb.hpp"
#include "workloads/workload.hpp"

namespace sassafras::study::adversary {

struct ClimbStart {
    Numbers numbers;
    ClimbRules rules;
    ElementType type = ElementType::u32;
    workloads::WorkloadRequest request;  ///< complete but for the numbers: see request_of

    /// The run of a candidate.
    [[nodiscard]] workloads::WorkloadRequest request_of(const Numbers& candidate) const;
};

/// More numbers are refused: a climb over as many finds little.
inline constexpr std::uint64_t greatest_climb = 1U << 20U;

/// The request's own numbers, or those that its kind of input makes. `values` is the range that they may change within
/// (parse_value_range), or empty: queries then become any others, colours any other colour, and all others are only
/// permuted. Numbers that were made and lie out of the range are drawn anew. Error bad_input: the request is none of
/// the workload's, the workload takes no numbers, there are too many, or they lie out of the range.
[[nodiscard]] Result<ClimbStart> begin_climb(const workloads::WorkloadRequest& request, Goal goal,
                                             const std::string& values = {});

/// Puts numbers into the range of the rules, if there is one: those out of it are drawn anew if they were `made`, and
/// refused if not. Error bad_input also if nothing could ever change: all are equal and there is no range. `what` names
/// the input.
[[nodiscard]] Result<void> fit_to_range(Numbers& numbers, const ClimbRules& rules, bool made, std::uint64_t seed,
                                        const std::string& what);

}  // namespace sassafras::study::adversary
