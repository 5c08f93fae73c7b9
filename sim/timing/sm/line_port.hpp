// The port by which a sub-core's code cache gives lines to its warps. A line takes it for some cycles; a line that is
// asked for later, as behind a branch that is not resolved yet, leaves room before it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sassafras::sim {

class LinePort {
  public:
    /// `interval`: cycles that a line takes, at most 32; 0 for a port that is always free.
    explicit LinePort(std::uint32_t interval) : interval_(interval) {}

    /// Books a line that is asked for at `asked`, as told at `now`; no later call has an earlier `now`. The cycle in
    /// which the port takes it.
    std::uint64_t book(std::uint64_t now, std::uint64_t asked) {
        if (interval_ == 0) return asked;
        const std::uint64_t by = now - from_;
        taken_ = by < 64 ? taken_ >> by : 0;
        from_ = now;
        if (asked - now >= 64) return asked;
        std::uint64_t free = ~taken_ & ~std::uint64_t{0} << (asked - now);
        for (std::uint32_t more = 1; more < interval_; ++more) free &= ~(taken_ >> more);
        if (free == 0) return now + 64;
        const auto at = static_cast<std::uint32_t>(std::countr_zero(free));
        taken_ |= ((std::uint64_t{1} << interval_) - 1) << at;
        return now + at;
    }

  private:
    std::uint32_t interval_;
    std::uint64_t from_ = 0;
    std::uint64_t taken_ = 0;  ///< cycles from from_ on, a bit each
};

}  // namespace sassafras::sim
