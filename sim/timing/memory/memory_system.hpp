// What all SMs share: crossbar, L2 slices in partitions, DRAM channels. It answers requests in batches: SMs run ahead
// on their own for fewer cycles than the fastest answer takes, so the order in which threads finish cannot change a
// result. A batch can be divided into shards, which have nothing to do with one another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/worker_pool.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/timing/memory/memory_state.hpp"
#include "sim/timing/memory/translated_requests.hpp"
#include "sim/timing/memory/untimed_access.hpp"
#include "sim/timing/policies/address_map.hpp"
#include "sim/timing/policies/dram_scheduler.hpp"
#include "sim/timing/policies/make_policy.hpp"

namespace sassafras::sim {

class MemorySystem {
  public:
    explicit MemorySystem(const Platform& platform);

    /// Least number of cycles between a request's time and its response.
    [[nodiscard]] std::uint64_t lookahead() const { return state_.base_round_trip; }

    static constexpr std::uint64_t never = MemoryShard::never;

    /// A new launch starts at cycle 0; contents stay unless `cold`. If L2 `keeps_all`, it loses nothing that it
    /// has had in this launch, and writes nothing back. It is divided into as many shards as there can be, at most
    /// `most_shards`; answers do not depend on how many. Slices are made ready on the threads of `pool`, if there is
    /// one. Of how many blocks the launch is, and where they are dealt from, decides where its SMs lie.
    void begin_launch(bool cold, bool keeps_all = false, std::size_t most_shards = 1, WorkerPool* pool = nullptr,
                      std::uint64_t blocks = SmPlacement::all, const DealtFrom& from = {});
    [[nodiscard]] std::size_t shards() const { return shards_.size(); }

    // A round: begin_round(), then answer() once for each shard, on any thread; what a shard answers can be read until
    // the next round.

    /// No request of this round or later ones leaves its SM before `first`.
    void begin_round(std::uint64_t first);
    /// Adds the shards of requests to the end of `shards`.
    void shards_of(std::span<const MemoryRequest> requests, std::vector<std::uint32_t>& shards) const;
    /// `requests` of the shard's lines, in order of time, ties in order of SM, then of issue.
    void answer(std::size_t shard, std::span<const MemoryRequest* const> requests);
    /// What came of the round: answers to loads and atomics and the acknowledgements that were asked for; stores and
    /// reductions that were done; the earliest response by SM.
    [[nodiscard]] const MemoryShard& shard(std::size_t number) const { return shards_[number]; }

    /// Where addresses are translated, requests are answered in the order in which that happens: those of all rounds so
    /// far, with `requests` (in order of time, ties in order of SM), that are translated before `end`. Valid until the
    /// next call.
    [[nodiscard]] bool translates() const { return translated_.modelled(); }
    const std::vector<MemoryRequest>& translate(const std::vector<MemoryRequest>& requests, std::uint64_t end);
    /// The cycle of the first request that is not translated yet; never if there is none.
    [[nodiscard]] std::uint64_t next_unanswered() const { return translated_.next(); }

    /// All of a round at once, undivided: responses[sm] receives what SMs are told.
    void process(const std::vector<MemoryRequest>& requests, std::vector<std::vector<MemoryResponse>>& responses,
                 std::uint64_t end = never);
    /// Stores and reductions of an SM among the requests that were processed last.
    [[nodiscard]] const std::vector<StoreDone>& stores_done(std::uint32_t sm) const {
        return shards_.front().stores_done[sm];
    }

    /// The copy engine writes these bytes between two launches.
    void copy_in(std::uint64_t address, std::uint64_t bytes);

    /// Between two rounds: what these turns leave in L2, so many `together`, access by access, and one such group after
    /// the other. They take no time, nothing waits for them, and nothing of them is counted; they are not translated.
    /// Of what is on its way to L2, all has come then.
    void leave_untimed(std::span<const UntimedTurn> turns, std::size_t together, WorkerPool& pool);

    [[nodiscard]] MetricCounts counters() const;
    [[nodiscard]] L2Traffic traffic() const;
    /// Cycle at which the last store or eviction is done.
    [[nodiscard]] std::uint64_t drained() const;

  private:
    void leave_in_shard(std::span<const std::vector<MemoryRequest>> requests);
    void divide(std::size_t most_shards);

    MemoryState state_;
    ReadCoalescer no_coalescer_;  ///< in place of the state's, for what has no time
    TranslatedRequests translated_;
    PolicyOf<AddressMaps> map_;
    PolicyOf<DramSchedulers> dram_;
    std::vector<MemoryShard> shards_;
    std::vector<std::uint32_t> shard_of_slice_;  ///< by its number in its partition
    std::uint64_t round_begin_ = 0;
};

}  // namespace sassafras::sim
