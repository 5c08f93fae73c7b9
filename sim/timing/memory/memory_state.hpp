// What the stages of the memory system keep from one request to the next, whatever policies the platform chooses.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/timing/memory/read_coalescer.hpp"
#include "sim/timing/memory/sectored_cache.hpp"
#include "sim/timing/memory/sm_placement.hpp"
#include "sim/timing/memory/written_lines.hpp"

namespace sassafras::sim {

struct MemoryState {
    explicit MemoryState(const Platform& of);

    /// As of MemorySystem.
    void begin_launch(bool cold, bool keeps_all);

    Platform platform;
    SmPlacement placement;
    ReadCoalescer coalescer;
    std::uint64_t base_round_trip = 1;  ///< from an SM to the nearest slice and back, cycles
    std::uint64_t one_way = 1;
    std::uint64_t slice_cost = 0;     ///< 2^-20 cycles a byte
    std::vector<SectoredCache> tags;  ///< by slice
    /// By slice, 2^-20 cycles: when it can give data again, and when take some. Two ports: loads and stores of lines
    /// that L2 has do not hold each other up, stores and what DRAM brings do
    /// (validate/records/h200/probes/copy_mix.cu).
    std::vector<std::uint64_t> slice_free;
    std::vector<std::uint64_t> slice_takes;
    std::uint64_t slice_request_cost = 0;             ///< 2^-20 cycles, at least
    std::uint64_t partial_update_cost = 0;            ///< 2^-20 cycles a sector
    std::uint64_t whole_update_cost = 0;              ///< likewise
    std::vector<DirtyLines> dirty;                    ///< by slice
    std::vector<PartialLines> partial;                ///< by slice; all are dirty
    std::vector<std::vector<StoreDone>> stores_done;  ///< by SM
    MetricCounts counters;
    std::uint64_t drained = 0;
    bool l2_keeps_all = false;
    std::unordered_map<std::uint64_t, std::uint32_t>
        kept;  ///< sectors of lines that L2 had no room for, if it keeps all
};

}  // namespace sassafras::sim
