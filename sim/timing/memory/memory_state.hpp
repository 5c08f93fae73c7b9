// What the stages of the memory system keep from one request to the next, whatever policies the platform chooses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/gpc_ports.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/timing/memory/read_coalescer.hpp"
#include "sim/timing/memory/sectored_cache.hpp"
#include "sim/timing/memory/slice_ports.hpp"
#include "sim/timing/memory/sm_placement.hpp"
#include "sim/timing/memory/traffic.hpp"
#include "sim/timing/memory/written_lines.hpp"

namespace sassafras::sim {

struct MemoryState {
    explicit MemoryState(const Platform& of);

    /// As of MemorySystem, which goes on with each slice.
    void begin_launch(bool keeps_all);
    void begin_slice(std::size_t slice, bool cold);

    Platform platform;
    SmPlacement placement;
    ReadCoalescer coalescer;
    GpcPorts ports;
    SlicePorts slices;
    std::uint64_t base_round_trip = 1;  ///< from an SM to the nearest slice and back, cycles
    std::uint64_t one_way = 1;
    std::vector<SectoredCache> tags;         ///< by slice
    std::uint64_t partial_update_cost = 0;   ///< 2^-20 cycles a sector
    std::uint64_t whole_update_cost = 0;     ///< likewise
    std::vector<std::uint64_t> used_before;  ///< by slice: lines used when the launch began
    std::vector<DirtyLines> dirty;           ///< by slice
    std::vector<PartialLines> partial;       ///< by slice; all are dirty
    std::vector<WriteQueue> write_queues;    ///< by slice
    bool l2_keeps_all = false;
};

/// A shard of the memory system is some of the slices, with the channels behind them: shards share nothing of what
/// changes. This is what each has to itself beside its slices' places in MemoryState.
struct MemoryShard {
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    MemoryShard(std::size_t sms, std::size_t gpcs)
        : responses(sms), stores_done(sms), earliest(sms, never), gpc_bytes(gpcs, 0) {}

    void begin_launch() {
        counters = {};
        traffic = {};
        drained = 0;
        kept.clear();
        std::fill(gpc_bytes.begin(), gpc_bytes.end(), 0);
        begin_round();
    }
    /// Forgets what was answered in the round before.
    void begin_round() {
        for (auto& of_sm : responses) of_sm.clear();
        for (auto& of_sm : stores_done) of_sm.clear();
        std::fill(earliest.begin(), earliest.end(), never);
    }

    std::vector<std::vector<MemoryResponse>> responses;  ///< by SM
    std::vector<std::vector<StoreDone>> stores_done;     ///< by SM
    std::vector<std::uint64_t> earliest;                 ///< by SM: of the responses' times
    std::vector<std::uint64_t> gpc_bytes;                ///< by GPC: read since MemorySystem looked last
    MetricCounts counters;
    L2Traffic traffic;
    std::uint64_t drained = 0;
    std::unordered_map<std::uint64_t, std::uint32_t>
        kept;  ///< sectors of lines that L2 had no room for, if it keeps all
};

}  // namespace sassafras::sim
