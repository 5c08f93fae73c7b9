// From the counts of instructions to what a user sees: Nsight Compute's metrics and source page.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/device/device.hpp"
#include "sim/metrics/metric_counts.hpp"

namespace sassafras::sim {

/// Counts the events that counts of instructions decide, of blocks of so many warps.
void count_instructions(MetricCounts& events, const isa::Program& program, const std::vector<InstructionCounts>& counts,
                        std::uint64_t warps_per_block);

/// Executions of an access that no lane makes, each a wavefront on an H200. Those with lanes have a wavefront or line
/// that is no replay. A copy to shared memory is two accesses. Of local memory and of generic addresses the counts do
/// not tell; those are left out.
[[nodiscard]] std::uint64_t accesses_of_no_lane(const InstructionCounts& of, const MemorySite& site);

/// S2R of what each lane has its own of: it comes through the unit that shared memory is read through.
[[nodiscard]] bool reads_of_lane(const isa::Instruction& instruction);

/// A row an instruction, without stalls.
[[nodiscard]] std::vector<SourceRow> source_rows(const isa::Program& program,
                                                 const std::vector<InstructionCounts>& counts);

}  // namespace sassafras::sim
