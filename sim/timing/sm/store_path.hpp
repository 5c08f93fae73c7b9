// The way of stores from an SM into the crossbar: a few lines that wait together, in which later stores to them are
// merged; a port with a rate; and a bounded number of places for stores that L2 has not taken yet. Times are cycles.
//
// On an H200 and an H100 stores that follow one another closely leave as fewer sectors than were stored
// (validate/records/h200/probes/store_merge.cu): as long as they keep coming, up to 16 lines stay, and one leaves only
// when a seventeenth needs its place. Once no store has come for a few cycles the lines leave, the oldest first, at the
// port's rate; the last one stays a little longer.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/cycle_fraction.hpp"
#include "sim/timing/memory/memory_request.hpp"

namespace sassafras::sim {

class StorePath {
  public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// A store whose end is not known yet is taken to need an idle round trip, `trip_cycles`; what memory says corrects
    /// that before the place is needed again.
    StorePath(const LsuParameters& lsu, std::uint32_t trip_cycles)
        : lsu_(lsu),
          trip_(trip_cycles),
          places_(lsu.outstanding_stores, 0),
          waiting_(lsu.store_merge_lines),
          left_(lsu.store_port_lines, 0) {}

    /// A store or reduction of one line that is there at its time. `bytes` of its sectors are written. What leaves the
    /// SM is put into the outbox.
    void take(const MemoryRequest& request, std::uint32_t bytes, std::vector<MemoryRequest>& outbox) {
        // Whom L2 tells about each store, and reductions, go by themselves.
        if (waiting_.empty() || request.kind != RequestKind::store || request.acknowledge) {
            send(request, bytes, request.time, outbox);
            return;
        }
        leave_until(request.time, outbox);
        last_ = std::max(last_, request.time);
        for (std::size_t i = 0; i < count_; ++i) {
            Waiting& waiting = at(i);
            if (waiting.request.line != request.line) continue;
            waiting.request.sectors |= request.sectors;
            waiting.bytes += bytes;
            return;
        }
        if (count_ == waiting_.size()) send_oldest(request.time, outbox);
        at(count_++) = {.request = request, .bytes = bytes};
    }

    /// Lets go what leaves before `end` if no store comes until then.
    void leave_until(std::uint64_t end, std::vector<MemoryRequest>& outbox) {
        while (count_ != 0) {
            const std::uint64_t due = next_due();
            if (due >= end) return;
            send_oldest(due, outbox);
        }
    }
    /// When the oldest line that waits leaves if no store comes; never if none waits.
    [[nodiscard]] std::uint64_t next_due() const {
        if (count_ == 0) return never;
        const std::uint64_t idle = count_ == 1 ? lsu_.store_merge_hold_cycles : lsu_.store_merge_idle_cycles;
        return std::max({last_ + idle, waiting_[oldest_].request.time, port_free_ / cycle_fraction});
    }

    /// L2 has taken the store of a place at `time`.
    void free(std::uint16_t place, std::uint64_t time) { places_[place] = std::max(places_[place], time); }

    /// The cycle before which no further store can enter the SM's memory unit: there is room for the stores of some
    /// cycles before the port. Lines that wait for later stores have room of their own, and leave it only when full.
    [[nodiscard]] std::uint64_t room_at() const {
        const std::uint64_t free = port_free_ / cycle_fraction;
        return free < lsu_.store_buffer_cycles ? 0 : free - lsu_.store_buffer_cycles;
    }

    /// Words that come for a load take the data stage for so many cycles: lines that wait for the port leave later.
    void hold_up(std::uint64_t now, std::uint32_t cycles) {
        if (port_free_ > now * cycle_fraction) port_free_ += std::uint64_t{cycles} * cycle_fraction;
    }

    /// The cycle before which nothing can look up its lines: what is taken in order waits behind a store of which more
    /// lines than there is room for have not left (validate/records/h200/probes/store_shadow.cu).
    [[nodiscard]] std::uint64_t lookups_from() const { return left_.empty() ? 0 : left_[sent_ % left_.size()]; }

    /// Cycles in which something left.
    [[nodiscard]] std::uint64_t cycles_busy() const { return busy_ / cycle_fraction; }

  private:
    struct Waiting {
        MemoryRequest request;
        std::uint32_t bytes = 0;  ///< written, added up over the stores: a byte that is written twice counts twice
    };

    [[nodiscard]] Waiting& at(std::size_t number) {
        const std::size_t place = oldest_ + number;
        return waiting_[place < waiting_.size() ? place : place - waiting_.size()];
    }
    void send_oldest(std::uint64_t time, std::vector<MemoryRequest>& outbox) {
        const Waiting& waiting = waiting_[oldest_];
        send(waiting.request, waiting.bytes, std::max(time, waiting.request.time), outbox);
        if (++oldest_ == waiting_.size()) oldest_ = 0;
        --count_;
    }
    void send(const MemoryRequest& request, std::uint32_t written, std::uint64_t time,
              std::vector<MemoryRequest>& outbox) {
        const bool updates = request.kind == RequestKind::reduction;
        const auto sectors =
            updates ? request.updates.sent() : static_cast<std::uint32_t>(std::popcount(request.sectors));
        const std::uint64_t bytes = std::uint64_t{sectors} * lsu_.sector_bytes;
        const std::uint32_t masks = updates ? request.updates.masks() : written < lsu_.l1_line_bytes ? 1 : 0;
        const std::uint64_t number = sent_++;
        const std::uint64_t place = number % places_.size();
        const std::uint64_t leave = std::max(port_free_, std::max(time, places_[place]) * cycle_fraction);
        places_[place] = leave / cycle_fraction + trip_;
        const bool partial = request.kind == RequestKind::store && written < bytes;
        const std::uint64_t takes =
            (bytes + masks * lsu_.store_mask_bytes) * cycle_fraction / lsu_.store_bytes_per_cycle;
        port_free_ = leave + takes;
        busy_ += takes;
        if (!left_.empty()) left_[number % left_.size()] = port_free_ / cycle_fraction;
        outbox.push_back(request);
        outbox.back().time = leave / cycle_fraction;
        outbox.back().credit = static_cast<std::uint16_t>(place);
        outbox.back().partial = partial;
        outbox.back().masked = masks != 0;
        outbox.back().written = static_cast<std::uint16_t>(std::min<std::uint64_t>(written, bytes));
    }

    LsuParameters lsu_;
    std::uint32_t trip_;
    std::uint64_t port_free_ = 0;        ///< 2^-20 cycles
    std::uint64_t busy_ = 0;             ///< likewise
    std::vector<std::uint64_t> places_;  ///< when each becomes free, as far as known
    std::uint64_t sent_ = 0;
    std::vector<Waiting> waiting_;  ///< a ring
    std::size_t oldest_ = 0;
    std::size_t count_ = 0;
    std::uint64_t last_ = 0;           ///< when the last store came
    std::vector<std::uint64_t> left_;  ///< when each of the last lines has left, a ring
};

}  // namespace sassafras::sim
