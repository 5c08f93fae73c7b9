// Which cycles of a stage that takes one thing a cycle are taken. What is booked later may still have an earlier cycle
// that nobody took: a stage serves whoever is there, not whoever was foreseen first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace sassafras::sim {

class SlotCalendar {
  public:
    /// Slots ahead that can be told apart; beyond, they are taken in order.
    static constexpr std::uint64_t horizon = 4096;

    /// Slots before `now` will not be asked for again. `now` must not decrease.
    void advance(std::uint64_t now) {
        const std::uint64_t word = now / bits;
        if (word == first_word_) return;
        const std::uint64_t passed = std::min<std::uint64_t>(word - first_word_, words);
        for (std::uint64_t i = 0; i < passed; ++i) taken_[(first_word_ + i) % words] = 0;
        first_word_ = word;
    }

    /// Takes the first free slot from `from` on, which must not lie before the last advance().
    std::uint64_t take(std::uint64_t from) {
        if (from >= end_) {  // the commonest: nothing is taken there yet
            const std::uint64_t limit = first_word_ * bits + horizon;
            end_ = from + 1;
            if (from < limit)
                taken_[from / bits % words] |= std::uint64_t{1} << (from % bits);
            else
                take_far(from, limit);
            return from;
        }
        return take_between(from);
    }

    /// The slot that take() would take.
    [[nodiscard]] std::uint64_t first_free(std::uint64_t from) const {
        const std::uint64_t limit = first_word_ * bits + horizon;
        while (from < end_ && from < limit) {
            if (from >= far_begin_ && from < far_end_) {
                from = far_end_;
                continue;
            }
            const std::uint64_t free = ~taken_[from / bits % words] >> (from % bits);
            if (free == 0) {
                from = (from / bits + 1) * bits;
                continue;
            }
            from += static_cast<std::uint64_t>(std::countr_zero(free));
            if (from >= far_begin_ && from < far_end_) continue;
            if (from < limit) return from;
        }
        return from < limit ? from : std::max(from, end_);
    }

  private:
    static constexpr std::uint64_t bits = 64;
    static constexpr std::uint64_t words = horizon / bits;

    /// Beyond the horizon slots are taken in order; those between count as taken.
    void take_far(std::uint64_t slot, std::uint64_t limit) {
        if (far_end_ <= limit) far_begin_ = slot;
        far_end_ = slot + 1;
    }

    std::uint64_t take_between(std::uint64_t from) {
        const std::uint64_t limit = first_word_ * bits + horizon;
        const std::uint64_t slot = first_free(from);
        if (slot < limit)
            taken_[slot / bits % words] |= std::uint64_t{1} << (slot % bits);
        else
            take_far(slot, limit);
        end_ = std::max(end_, slot + 1);
        return slot;
    }

    std::array<std::uint64_t, words> taken_{};
    std::uint64_t end_ = 0;  ///< one past the last slot taken
    std::uint64_t first_word_ = 0;
    std::uint64_t far_begin_ = 0;  ///< booked beyond the horizon; empty if far_end_ is not greater
    std::uint64_t far_end_ = 0;
};

}  // namespace sassafras::sim
