// The constructions, one a workload.
#pragma once

#include "core/result.hpp"
#include "study/adversary/construction.hpp"

namespace sassafras::study::adversary {

/// w of the machines that the constructions for merge and search are for.
inline constexpr std::uint32_t warp_lanes = 32;

/// sort: mgpu and the recorded variants, 32-bit keys. With mgpu, E and b need not be compiled.
[[nodiscard]] Result<Construction> construct_sort(const workloads::WorkloadRequest& request, Goal goal,
                                                  std::uint32_t w);
/// search: the queries of theorem 6.2.1 and corollary 6.2.1 for pbs; those of worst_queries.hpp for the others.
[[nodiscard]] Result<Construction> construct_search(const workloads::WorkloadRequest& request, Goal goal);
/// merge: the reads of the merges that stage their keys in shared memory.
[[nodiscard]] Result<Construction> construct_merge(const workloads::WorkloadRequest& request, Goal goal);

/// No construction is known for this.
[[nodiscard]] Error no_construction(const std::string& workload, const std::string& variant);

}  // namespace sassafras::study::adversary
