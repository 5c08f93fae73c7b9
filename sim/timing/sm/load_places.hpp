// The bounded number of places for loads and atomics of an SM that L2 has not answered yet. What finds none waits, in
// order, until an answer frees one. Times are cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/timing/memory/memory_request.hpp"

namespace sassafras::sim {

class LoadPlaces {
  public:
    /// `places`: 0 for no bound.
    explicit LoadPlaces(std::uint32_t places) : bounded_(places != 0), free_(places) {}

    /// A request that is there at its time: into the outbox now, or when a place is free.
    void send(const MemoryRequest& request, std::vector<MemoryRequest>& outbox) {
        if (bounded_) {
            if (free_ == 0) {
                waiting_.push_back(request);
                return;
            }
            --free_;
        }
        outbox.push_back(request);
    }
    /// A request was answered at `now`.
    void answered(std::uint64_t now, std::vector<MemoryRequest>& outbox) {
        if (!bounded_) return;
        if (waiting_.empty()) {
            ++free_;
            return;
        }
        outbox.push_back(waiting_.front());
        outbox.back().time = std::max(outbox.back().time, now);
        waiting_.pop_front();
    }

  private:
    bool bounded_;
    std::uint32_t free_;
    std::deque<MemoryRequest> waiting_;
};

}  // namespace sassafras::sim
