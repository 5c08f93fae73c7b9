// Future events of one component in time order; events of one cycle come out in the order they went in.
// A ring of near cycles with a bitmap (so that empty cycles cost nothing) and a heap for the far ones. Near events are
// nodes of one pool, linked by cycle: few are alive at a time, so they stay in the cache and a new wheel allocates
// little.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/result.hpp"

namespace sassafras::sim {

template <class Event>
class EventWheel {
  public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// `time` must not lie before the last time given to drain().
    void push(std::uint64_t time, const Event& event) {
        require_invariant(time >= now_, "event in the past");
        if (time < now_ + slots) {
            push_near(time % slots, event);
        } else {
            far_.push_back({time, sequence_++, event});
            std::push_heap(far_.begin(), far_.end(), later);
        }
    }

    [[nodiscard]] std::uint64_t next_time() const {
        const std::uint64_t near = next_near();
        const std::uint64_t far = far_.empty() ? never : far_.front().time;
        return std::min(near, far);
    }

    /// Hands every event of time `time` to `handle`; all earlier ones must have been drained. Events pushed meanwhile
    /// for the same time are handled too.
    template <class Handler>
    void drain(std::uint64_t time, Handler&& handle) {
        advance_to(time);
        const std::size_t slot = time % slots;
        if ((occupied_[slot / 64] >> (slot % 64) & 1U) == 0) return;
        for (std::uint32_t at = ring_[slot].first; at != none;) {
            const Event event = pool_[at].event;
            handle(event);  // may push behind this node, and may move the pool
            const std::uint32_t next = pool_[at].next;
            pool_[at].next = free_;
            free_ = at;
            at = next;
        }
        ring_[slot] = {};
        occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    }

    [[nodiscard]] bool empty() const { return next_time() == never; }

  private:
    static constexpr std::uint64_t slots = 1024;
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Node {
        Event event;
        std::uint32_t next = none;
    };
    struct Slot {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };
    struct Far {
        std::uint64_t time = 0;
        std::uint64_t sequence = 0;
        Event event;
    };
    static bool later(const Far& a, const Far& b) {
        return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }

    void push_near(std::size_t slot, const Event& event) {
        std::uint32_t at = free_;
        if (at == none) {
            at = static_cast<std::uint32_t>(pool_.size());
            pool_.push_back({event, none});
        } else {
            free_ = pool_[at].next;
            pool_[at] = {event, none};
        }
        if (ring_[slot].last == none)
            ring_[slot].first = at;
        else
            pool_[ring_[slot].last].next = at;
        ring_[slot].last = at;
        occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }

    void advance_to(std::uint64_t time) {
        now_ = time;
        if (!far_.empty() && far_.front().time < now_ + slots) bring_near();
    }
    /// Apart and not inlined, so that the cycles without a far event, nearly all, cost a comparison.
    [[gnu::noinline]] void bring_near() {
        // Far events were pushed before any near event of their cycle could be, so moving them first keeps the order.
        while (!far_.empty() && far_.front().time < now_ + slots) {
            std::pop_heap(far_.begin(), far_.end(), later);
            const Far far = far_.back();
            far_.pop_back();
            push_near(far.time % slots, far.event);
        }
    }

    [[nodiscard]] std::uint64_t next_near() const {
        const std::size_t first = now_ % slots;
        constexpr std::size_t words = slots / 64;
        for (std::size_t step = 0; step <= words; ++step) {
            const std::size_t word = (first / 64 + step) % words;
            std::uint64_t bits = occupied_[word];
            if (step == 0) bits &= ~std::uint64_t{0} << (first % 64);
            if (step == words) bits &= (std::uint64_t{1} << (first % 64)) - 1;
            if (bits != 0) {
                const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                return now_ + (slot + slots - first) % slots;
            }
        }
        return never;
    }

    std::array<Slot, slots> ring_{};
    std::vector<Node> pool_;
    std::uint32_t free_ = none;  ///< first of the pool's unused nodes
    std::array<std::uint64_t, slots / 64> occupied_{};
    std::vector<Far> far_;
    std::uint64_t now_ = 0;
    std::uint64_t sequence_ = 0;
};

}  // namespace sassafras::sim
