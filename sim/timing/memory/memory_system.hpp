// What all SMs share: crossbar, L2 slices in partitions, DRAM channels. It answers requests in batches: SMs run ahead
// on their own for fewer cycles than the fastest answer takes, so the order in which threads finish cannot change a
// result.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/timing/memory/memory_state.hpp"
#include "sim/timing/memory/translated_requests.hpp"
#include "sim/timing/policies/address_map.hpp"
#include "sim/timing/policies/dram_scheduler.hpp"
#include "sim/timing/policies/make_policy.hpp"

namespace sassafras::sim {

class MemorySystem {
  public:
    explicit MemorySystem(const Platform& platform);

    /// Least number of cycles between a request's time and its response.
    [[nodiscard]] std::uint64_t lookahead() const { return state_.base_round_trip; }

    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// Answers `requests` (in order of time, ties in order of SM): responses[sm] receives loads, atomics and
    /// the acknowledgements that were asked for. What is translated at `end` or later is answered by a later call,
    /// whose `end` is no less.
    void process(const std::vector<MemoryRequest>& requests, std::vector<std::vector<MemoryResponse>>& responses,
                 std::uint64_t end = never);
    /// The cycle of the first request that is not answered yet; never if there is none.
    [[nodiscard]] std::uint64_t next_unanswered() const { return translated_.next(); }

    /// Stores and reductions of an SM among the requests that were processed last.
    [[nodiscard]] const std::vector<StoreDone>& stores_done(std::uint32_t sm) const { return state_.stores_done[sm]; }

    /// A new launch starts at cycle 0; contents stay unless `cold`. If L2 `keeps_all`, it loses nothing that it
    /// has had in this launch, and writes nothing back.
    void begin_launch(bool cold, bool keeps_all = false);

    /// The copy engine writes these bytes between two launches.
    void copy_in(std::uint64_t address, std::uint64_t bytes);

    [[nodiscard]] const MetricCounts& counters() const { return state_.counters; }
    /// Cycle at which the last store or eviction is done.
    [[nodiscard]] std::uint64_t drained() const { return state_.drained; }

  private:
    void answer(const std::vector<MemoryRequest>& requests, std::vector<std::vector<MemoryResponse>>& responses);

    MemoryState state_;
    TranslatedRequests translated_;
    PolicyOf<AddressMaps> map_;
    PolicyOf<DramSchedulers> dram_;
};

}  // namespace sassafras::sim
