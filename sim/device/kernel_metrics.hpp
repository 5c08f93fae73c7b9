// From the counts of instructions to what a user sees: Nsight Compute's metrics and source page.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/device/device.hpp"
#include "sim/metrics/metric_counts.hpp"

namespace sassafras::sim {

/// Counts the events that counts of instructions decide, of blocks of so many warps.
void count_instructions(MetricCounts& events, const isa::Program& program, const std::vector<InstructionCounts>& counts,
                        std::uint64_t warps_per_block);

/// A row an instruction, without stalls.
[[nodiscard]] std::vector<SourceRow> source_rows(const isa::Program& program,
                                                 const std::vector<InstructionCounts>& counts);

}  // namespace sassafras::sim
