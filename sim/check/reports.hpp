// Findings put into words: races, uninitialised reads, barriers.
#pragma once

#include <cstdint>

#include "sim/check/barrier_watch.hpp"
#include "sim/check/finding_log.hpp"
#include "sim/check/hazard.hpp"

namespace sassafras::sim {

void report_race(FindingLog& log, const Hazard& hazard);
void report_uninitialised(FindingLog& log, const UninitialisedRead& read);
/// `block`: the grid's number of the block of `at`.
void report_barrier(FindingLog& log, const ExecutionPlace& at, std::uint64_t block, BarrierFault fault);
/// Of a barrier at a shared address.
void report_memory_barrier(FindingLog& log, const ExecutionPlace& at, std::uint64_t block, BarrierFault fault,
                           std::uint64_t barrier);

/// Whether report_barrier() was told of the same.
[[nodiscard]] bool has_reported_barrier(const FindingLog& log, std::uint32_t instruction, BarrierFault fault);

}  // namespace sassafras::sim
