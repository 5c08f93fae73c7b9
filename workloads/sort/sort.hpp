// Comparison sorts: pairwise and multiway mergesorts and block sorts. README.md says what each is and where it differs
// from its source.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/phase_rule.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::sort {

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request);

/// Ascending, by bytes from the least significant (radix): nothing in common with the kernels' way.
[[nodiscard]] std::vector<std::uint32_t> reference(std::vector<std::uint32_t> keys, const HostPoll& poll = {});

}  // namespace sassafras::workloads::sort
