// From counts to what a user sees: Nsight Compute's metrics and source page, in a fixed order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/device/device.hpp"

namespace sassafras::sim {

/// The metrics that instruction counts decide.
[[nodiscard]] std::vector<std::pair<std::string, double>> counted_metrics(const isa::Program& program,
                                                                          const std::vector<InstructionCounts>& counts);

/// A row an instruction, without stall reasons.
[[nodiscard]] std::vector<SourceRow> source_rows(const isa::Program& program,
                                                 const std::vector<InstructionCounts>& counts);

}  // namespace sassafras::sim
