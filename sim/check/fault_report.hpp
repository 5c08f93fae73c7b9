// Faults that end a kernel, put into words: illegal accesses, traps, assertions, wrong calls of free().
#pragma once

#include <cstdint>

#include "sim/check/access_site.hpp"
#include "sim/check/finding_log.hpp"
#include "sim/execute/device_heap.hpp"
#include "sim/execute/execution_observer.hpp"
#include "sim/execute/memory_image.hpp"

namespace sassafras::sim {

/// What accesses are held against.
struct AccessibleMemory {
    const MemoryImage& global;
    const DeviceHeap& heap;
    std::uint32_t shared_begin = 0;
    std::uint32_t shared_end = 0;
};

/// `block`: the grid's number of the block that made the access.
void report_illegal_access(FindingLog& log, const ObservedAccess& access, const CheckedSite& site, const Fault& fault,
                           std::uint64_t block, const AccessibleMemory& memory);

/// Of constant memory, which is not observed: `at` has the lanes that went wrong.
void report_illegal_constant(FindingLog& log, const ExecutionPlace& at, const Fault& fault, std::uint64_t block);

/// A fault that is no illegal access.
void report_stop(FindingLog& log, const ExecutionPlace& at, const Fault& fault, std::uint64_t block,
                 const DeviceHeap& heap);

}  // namespace sassafras::sim
