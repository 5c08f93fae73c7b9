// The memory requests of all SMs that a round of a launch passes on to the memory system.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.hpp"
#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

class RoundRequests {
  public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// Requests that leave their SM before `end`, in order of time, then of SM, then of issue; the others stay in their
    /// outbox. A sort by counting: a round has few cycles.
    const std::vector<MemoryRequest>& collect(const std::vector<std::unique_ptr<Sm>>& sms, std::uint64_t begin,
                                              std::uint64_t end) {
        place_.assign(end - begin + 1, 0);
        next_ = never;
        for (const auto& sm : sms) {
            next_ = std::min(next_, sm->let_stores_leave(end));
            for (const MemoryRequest& request : sm->outbox()) {
                if (request.time >= end) continue;
                require_invariant(request.time >= begin, "a memory request was left behind");
                ++place_[request.time - begin + 1];
            }
        }
        for (std::size_t cycle = 1; cycle < place_.size(); ++cycle) place_[cycle] += place_[cycle - 1];
        requests_.resize(place_.back());
        for (const auto& sm : sms) {
            std::erase_if(sm->outbox(), [&](const MemoryRequest& request) {
                if (request.time >= end) {
                    next_ = std::min(next_, request.time);
                    return false;
                }
                requests_[place_[request.time - begin]++] = request;
                return true;
            });
        }
        return requests_;
    }

    /// Stores that are still under way when the last block has ended end before the kernel does.
    const std::vector<MemoryRequest>& drain(const std::vector<std::unique_ptr<Sm>>& sms) {
        requests_.clear();
        for (const auto& sm : sms) {
            sm->let_stores_leave(never);
            requests_.insert(requests_.end(), sm->outbox().begin(), sm->outbox().end());
        }
        std::stable_sort(requests_.begin(), requests_.end(),
                         [](const MemoryRequest& a, const MemoryRequest& b) { return a.time < b.time; });
        return requests_;
    }

    /// When the first of those leaves its SM that stayed; never if none did.
    [[nodiscard]] std::uint64_t next() const { return next_; }

  private:
    std::vector<MemoryRequest> requests_;
    std::vector<std::uint32_t> place_;  ///< by cycle of the round, where its requests begin in `requests_`
    std::uint64_t next_ = never;
};

}  // namespace sassafras::sim
