// The memory requests of all SMs that a round of a launch passes on to the memory system, and what comes back.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/timing/answer_times.hpp"
#include "sim/timing/memory/memory_system.hpp"
#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

/// In each round: deliver() and leave() for each SM on the thread that runs it, before and after it does; then begin(),
/// on one thread; then answer() for each shard, on any thread. Requests are answered in order of time, then of SM, then
/// of issue; what SMs are told does not depend on the number of shards.
class RoundRequests {
  public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// `memory` must have begun the launch.
    RoundRequests(MemorySystem& memory, std::size_t sms)
        : memory_(memory), sms_(sms), order_(memory.shards()), place_(memory.shards()) {}

    /// Gives an SM what the round before has brought it, once.
    void deliver(Sm& sm, std::uint32_t number);
    /// Chooses those of an SM's requests that leave it in [begin, end); the others stay in its outbox.
    void leave(Sm& sm, std::uint32_t number, std::uint64_t begin, std::uint64_t end);
    void begin(std::uint64_t begin, std::uint64_t end);
    void answer(std::size_t shard);
    /// Stores that are still under way when the last block has ended end before the kernel does.
    void drain(const std::vector<std::unique_ptr<Sm>>& sms);

    /// The cycle of the first answer to an SM that it has not been given yet; never if there is none.
    [[nodiscard]] std::uint64_t earliest(std::uint32_t sm) const;
    /// When the first request of those leaves its SM, or is translated, that stayed; never if none did.
    [[nodiscard]] std::uint64_t next() const;
    /// Of all SMs, that have been delivered.
    [[nodiscard]] AnswerTimes answer_times() const;

  private:
    struct OfSm {
        const MemoryRequest* outbox = nullptr;
        std::vector<std::uint32_t> leaving;   ///< places in the outbox, shard by shard
        std::vector<std::uint32_t> begin;     ///< by shard, in `leaving`; one more
        std::vector<std::uint32_t> shards;    ///< by place
        std::vector<std::uint32_t> in_order;  ///< places that leave, as they lie in the outbox
        std::uint64_t end = 0;                ///< of the round
        std::uint64_t next = never;           ///< when the first of those that stay leaves
        bool delivered = true;
        std::vector<MemoryResponse> answers;
        AnswerTimes times{};
    };

    static void note_times(OfSm& of, std::span<const MemoryResponse> answers);
    void group_by_shard(OfSm& of, std::span<const MemoryRequest> outbox) const;
    void collect(std::size_t shard);

    MemorySystem& memory_;
    std::vector<OfSm> sms_;
    std::vector<std::vector<const MemoryRequest*>> order_;  ///< by shard
    std::vector<std::vector<std::uint32_t>> place_;         ///< by shard and cycle of the round
    std::vector<MemoryRequest> untranslated_;
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
};

}  // namespace sassafras::sim
