// Records a launch's profile between rounds, where all SMs have come to the same cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sim/timing/block_dispatcher.hpp"
#include "sim/timing/launch_profile.hpp"
#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

class ProfileRecorder {
  public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::size_t most_intervals = 8192;  ///< beyond that neighbours become one, and intervals double

    explicit ProfileRecorder(const ProfileRequest& request)
        : interval_(request.interval), next_(interval_ == 0 ? never : interval_), most_blocks_(request.most_blocks) {}

    /// The first cycle that is not of the interval that goes on.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    /// The round before ended at `last`; the next begins at `begin`, which is not before next(), and nothing happens
    /// between. The interval ends at the multiple of its length that is reached, or where the round ended behind it.
    /// `counted` gives all that was counted up to a cycle.
    template <class Counted>
    void reached(std::uint64_t last, std::uint64_t begin, Counted&& counted) {
        const std::uint64_t multiple = begin / interval_ * interval_;
        add(counted(std::max(last, multiple)));
        if (sums_.size() == most_intervals) thin();
        next_ = (sums_.back().end / interval_ + 1) * interval_;
    }

    void start(const Dispatch& dispatch) {
        if (most_blocks_ != 0) starts_[dispatch.block] = dispatch.start;
    }
    void finish(std::uint64_t block, std::uint32_t sm, std::uint64_t end) {
        const auto start = starts_.find(block);
        if (start == starts_.end()) return;
        if (profile_.blocks.size() < most_blocks_)
            profile_.blocks.push_back({block, sm, start->second, end});
        else
            ++profile_.blocks_left_out;
        starts_.erase(start);
    }

    /// `all`: what the launch counted up to its end.
    [[nodiscard]] LaunchProfile finish(const IntervalCounts& all);

  private:
    void add(const IntervalCounts& sum) { sums_.push_back(sum); }
    void thin();

    std::uint64_t interval_;
    std::uint64_t next_;
    std::uint64_t most_blocks_;
    std::vector<IntervalCounts> sums_;  ///< from the launch's begin
    std::map<std::uint64_t, std::uint64_t> starts_;
    LaunchProfile profile_;
};

/// What SMs and memory have counted up to `end`, to which all of them have come.
[[nodiscard]] IntervalCounts counted_until(std::uint64_t end, const std::vector<std::unique_ptr<Sm>>& sms,
                                           const MetricCounts& events);

}  // namespace sassafras::sim
