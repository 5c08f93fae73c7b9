// The bounded number of places for lines that loads and atomics of an SM have asked L2 for. What finds none waits, in
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
    /// `places`: 0 for no bound. A request takes `trip_cycles` if nothing else is under way.
    LoadPlaces(std::uint32_t places, std::uint32_t trip_cycles)
        : bounded_(places != 0), places_(places), free_(places), trip_(trip_cycles * one) {}

    /// A request that is booked at `now` and there at its time: into the outbox, or waits until a place is free. The
    /// cycle at which it leaves; of one that waits, at which it will if the others' trips are as long as they were of
    /// late.
    std::uint64_t send(const MemoryRequest& request, std::uint64_t now, std::vector<MemoryRequest>& outbox) {
        if (bounded_) {
            if (free_ == 0) {
                waiting_.push_back(request);
                return std::max(request.time, now + expected_wait());
            }
            --free_;
        }
        outbox.push_back(request);
        return request.time;
    }
    /// A request takes so many cycles until it is answered.
    void note_trip(std::uint64_t cycles) { trip_ = (trip_ * (weight - 1) + cycles * one) / weight; }
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
    static constexpr std::uint64_t one = 256;    ///< a cycle, in parts of one
    static constexpr std::uint64_t weight = 32;  ///< of the trips before, and of the last one together

    /// Of the last one that waits: as many leave during a trip as there are places.
    [[nodiscard]] std::uint64_t expected_wait() const { return waiting_.size() * trip_ / (places_ * one); }

    bool bounded_;
    std::uint32_t places_;
    std::uint32_t free_;
    std::uint64_t trip_;  ///< of late, in parts of a cycle
    std::deque<MemoryRequest> waiting_;
};

}  // namespace sassafras::sim
