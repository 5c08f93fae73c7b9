// Counts a launch's records and says what they did in Nsight Compute's terms, as far as that needs no time.
#pragma once

#include <vector>

#include "sim/access/instruction_counters.hpp"
#include "sim/device/device.hpp"
#include "sim/device/model_options.hpp"
#include "sim/platform/platform.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras {
class WorkerPool;
}

namespace sassafras::sim {

/// Executes all blocks, on threads of `pool` or its own, and counts what each instruction did.
[[nodiscard]] Result<std::vector<InstructionCounts>> count_instructions_of(TraceSource& source, const Launch& launch,
                                                                           const Platform& platform,
                                                                           const ModelOptions& options,
                                                                           WorkerPool* pool = nullptr);

/// Adds metrics and source rows to `result`.
[[nodiscard]] Result<void> run_counted(TraceSource& source, const Launch& launch, const Platform& platform,
                                       const ModelOptions& options, KernelResult& result);

}  // namespace sassafras::sim
