// Exclusive prefix sums, plain and a running sum a colour.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/phases.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::scan {

using Words = std::vector<std::uint32_t>;

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request);

/// For each word the sum of all words before it, modulo 2^32.
[[nodiscard]] Words reference(const Words& words);
/// For each word the sum of all words of its colour before it, modulo 2^32. Colours are less than color_count.
[[nodiscard]] Words colored_reference(const Words& words, const Words& colors, std::uint32_t color_count);

}  // namespace sassafras::workloads::scan
