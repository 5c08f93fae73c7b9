// Batched predecessor search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/phase_rule.hpp"
#include "workloads/selection.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::search {

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request);

/// The full choice, as run() makes it, and the keys that it searches. Errors bad_input of run().
[[nodiscard]] Result<Selection> choose(const WorkloadRequest& request);
[[nodiscard]] std::vector<std::uint32_t> searched_keys(const Selection& selection);

/// For each query the index of the last of the ascending keys that is not greater than it, or -1.
[[nodiscard]] std::vector<std::int32_t> reference(const std::vector<std::uint32_t>& keys,
                                                  const std::vector<std::uint32_t>& queries, const HostPoll& poll = {});

}  // namespace sassafras::workloads::search
