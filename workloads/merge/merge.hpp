// Merging two ascending arrays in global memory.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "workloads/phase_rule.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::merge {

using Keys = std::vector<std::uint32_t>;

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request);

/// Two ascending arrays. random: independent. sorted: all of the first before all of the second; reverse: after. equal:
/// one value. few-distinct, organ-pipe: keys of the kind, cut in two, each part then sorted. So few-distinct has the
/// same eight values in both, ties all over; of an organ pipe, the halves take turns, a key of each.
[[nodiscard]] std::pair<Keys, Keys> make_runs(std::string_view kind, std::uint64_t first, std::uint64_t second,
                                              std::uint64_t seed, const HostPoll& poll = {});

[[nodiscard]] Keys reference(const Keys& a, const Keys& b, const HostPoll& poll = {});

}  // namespace sassafras::workloads::merge
