// The workload `micro`: copies, loops, barriers, kernel boundaries, pointer chases and bandwidth sweeps that are run
// one at a time and timed from outside, as the SPT model's measurements are. README.md says what each is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/phase_rule.hpp"
#include "workloads/selection.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::micro {

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run_measurement(sim::Device& device, const WorkloadRequest& request);

/// What a measurement left in the device's memory, and what it must have left there. Both empty: nothing was asked for.
struct Outcome {
    std::vector<std::uint32_t> result;
    std::vector<std::uint32_t> expected;
};

// spt.cpp: the five measurements of the SPT model. Every parameter that the variant has is set.
[[nodiscard]] Result<Outcome> copy_global(sim::Device& device, Selection& selection);
[[nodiscard]] Result<Outcome> loop_shared(sim::Device& device, Selection& selection);
[[nodiscard]] Result<Outcome> loop_registers(sim::Device& device, Selection& selection);
[[nodiscard]] Result<Outcome> synchronise_blocks(sim::Device& device, Selection& selection);
[[nodiscard]] Result<Outcome> synchronise_kernels(sim::Device& device, Selection& selection);

// levels.cpp: one level of memory. Parameters that follow from others are set here.
[[nodiscard]] Result<Outcome> chase_pointers(sim::Device& device, Selection& selection);
[[nodiscard]] Result<Outcome> read_level(sim::Device& device, Selection& selection);

}  // namespace sassafras::workloads::micro
