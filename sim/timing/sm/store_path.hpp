// The way of stores from an SM into the crossbar: a port with a rate, and a bounded number of places for stores that L2
// has not taken yet. Times are cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/cycle_fraction.hpp"

namespace sassafras::sim {

class StorePath {
  public:
    /// A store whose end is not known yet is taken to need an idle round trip, `trip_cycles`; what memory says corrects
    /// that before the place is needed again.
    StorePath(const LsuParameters& lsu, std::uint32_t trip_cycles)
        : bytes_per_cycle_(lsu.store_bytes_per_cycle), trip_(trip_cycles), places_(lsu.outstanding_stores, 0) {}

    struct Sent {
        std::uint64_t time = 0;   ///< at which it leaves the SM
        std::uint16_t place = 0;  ///< that it keeps until free()
    };
    /// A store that is there at `time`.
    Sent send(std::uint64_t time, std::uint64_t bytes) {
        const std::uint64_t place = sent_++ % places_.size();
        const std::uint64_t leave = std::max(port_free_, std::max(time, places_[place]) * cycle_fraction);
        places_[place] = leave / cycle_fraction + trip_;
        port_free_ = leave + bytes * cycle_fraction / bytes_per_cycle_;
        return {.time = leave / cycle_fraction, .place = static_cast<std::uint16_t>(place)};
    }
    /// L2 has taken the store of a place at `time`.
    void free(std::uint16_t place, std::uint64_t time) { places_[place] = std::max(places_[place], time); }
    /// The cycle at which the port is free.
    [[nodiscard]] std::uint64_t port_free() const { return port_free_ / cycle_fraction; }

  private:
    std::uint32_t bytes_per_cycle_;
    std::uint32_t trip_;
    std::uint64_t port_free_ = 0;        ///< 2^-20 cycles
    std::vector<std::uint64_t> places_;  ///< when each becomes free, as far as known
    std::uint64_t sent_ = 0;
};

}  // namespace sassafras::sim
