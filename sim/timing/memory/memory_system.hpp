// What all SMs share: crossbar, L2 slices in partitions, DRAM channels. It answers requests in batches: SMs run ahead
// on their own for fewer cycles than the fastest answer takes, so the order in which threads finish cannot change a
// result.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/sectored_cache.hpp"

namespace sassafras::sim {

enum class RequestKind : std::uint8_t { load, store, atomic, reduction };

struct MemoryRequest {
    std::uint64_t time = 0;  ///< cycle at which it leaves the SM
    std::uint64_t line = 0;  ///< address / L1 line bytes
    std::uint32_t sectors = 0;
    std::uint32_t token = 0;  ///< the SM's name for it, given back in the response
    std::uint16_t sm = 0;
    std::uint16_t credit = 0;  ///< stores and reductions: the SM's name for the place that it takes
    RequestKind kind = RequestKind::load;
    std::uint8_t operations = 1;  ///< atomics: lanes that update the fullest word
    bool partial = false;         ///< stores: some bytes of the sectors are not written
    bool acknowledge = false;     ///< stores and reductions: the SM wants to know when L2 has them
};

struct MemoryResponse {
    std::uint64_t time = 0;  ///< cycle at which all its sectors are in the SM
    std::uint32_t token = 0;
    bool acknowledges = false;  ///< a store; no data came
};

/// L2 has taken a store or reduction: its place in the SM is free.
struct StoreDone {
    std::uint64_t time = 0;
    std::uint16_t credit = 0;
};

class MemorySystem {
  public:
    explicit MemorySystem(const Platform& platform);

    /// Least number of cycles between a request's time and its response.
    [[nodiscard]] std::uint64_t lookahead() const { return base_round_trip_; }

    /// Answers `requests` (in order of time, ties in order of SM): responses[sm] receives loads, atomics and
    /// the acknowledgements that were asked for.
    void process(const std::vector<MemoryRequest>& requests, std::vector<std::vector<MemoryResponse>>& responses);

    /// Stores and reductions of an SM among the requests that were processed last.
    [[nodiscard]] const std::vector<StoreDone>& stores_done(std::uint32_t sm) const { return stores_done_[sm]; }

    /// A new launch starts at cycle 0; contents stay unless `cold`.
    void begin_launch(bool cold);

    [[nodiscard]] const MetricCounts& counters() const { return counters_; }
    /// Cycle at which the last store or eviction is done.
    [[nodiscard]] std::uint64_t drained() const { return drained_; }

  private:
    /// Times inside shared resources are kept in 2^-20 cycles: a channel moves a sector in less than a cycle.
    static constexpr std::uint64_t fraction = 1ULL << 20U;

    std::uint64_t slice_access(std::uint32_t slice, std::uint64_t arrival, std::uint64_t bytes);
    std::uint64_t dram_access(std::uint32_t slice, std::uint64_t time, std::uint64_t cost);
    [[nodiscard]] std::uint64_t refresh_wait(std::uint64_t row, std::uint64_t time) const;
    [[nodiscard]] std::uint64_t row_of(std::uint64_t address) const;
    [[nodiscard]] std::uint32_t home_partition(std::uint64_t line) const;
    SectoredCache::Line& find_or_allocate(std::uint32_t slice, std::uint64_t line, std::uint64_t time);
    void forget_copies(std::uint64_t line, std::uint32_t sectors, std::uint32_t first, std::uint32_t kept,
                       std::uint32_t home);
    void fetch(SectoredCache::Line& line, std::uint32_t missing, std::uint32_t home, std::uint64_t time);
    void write_back(const SectoredCache::Line& victim, std::uint32_t slice, std::uint64_t time);

    Platform platform_;
    std::uint64_t base_round_trip_ = 1;
    std::uint64_t one_way_ = 1;
    std::uint64_t slice_cost_ = 0;  ///< 2^-20 cycles a byte
    std::uint64_t channel_read_cost_ = 0;
    std::uint64_t channel_write_cost_ = 0;
    std::uint64_t return_cost_ = 0;
    std::vector<SectoredCache> tags_;                  ///< by slice
    std::vector<std::uint64_t> slice_free_;            ///< 2^-20 cycles
    std::vector<std::uint64_t> channel_free_;          ///< 2^-20 cycles
    std::vector<std::uint64_t> return_free_;           ///< by SM, 2^-20 cycles
    std::vector<std::vector<StoreDone>> stores_done_;  ///< by SM
    MetricCounts counters_;
    std::uint64_t drained_ = 0;
};

}  // namespace sassafras::sim
