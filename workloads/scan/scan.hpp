// Exclusive prefix sums, plain and a running sum a colour.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "workloads/phase_rule.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::scan {

using Words = std::vector<std::uint32_t>;

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request);

/// The words, or for colored the colours: the user's own, or what the request's input makes. Error bad_input as run.
[[nodiscard]] Result<Words> own_numbers(const WorkloadRequest& request);
/// How many colours the request has; none if its variant has no colours. Error bad_input as run.
[[nodiscard]] Result<std::optional<std::uint32_t>> colors_of(const WorkloadRequest& request);

/// For each word the sum of all words before it, modulo 2^32.
[[nodiscard]] Words reference(const Words& words);
/// For each word the sum of all words of its colour before it, modulo 2^32. Colours are less than color_count.
[[nodiscard]] Words colored_reference(const Words& words, const Words& colors, std::uint32_t color_count);

}  // namespace sassafras::workloads::scan
