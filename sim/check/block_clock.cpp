#include "sim/check/block_clock.hpp"

#include <algorithm>
#include <bit>

#include "sim/check/lane_count.hpp"

namespace sassafras::sim {

namespace {

template <class F>
void for_each_bit(std::uint32_t mask, F&& f) {
    for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

}  // namespace

void BlockClock::start(std::uint32_t warps) {
    now_ = all_before_ = 1;
    warp_count_ = warps;
    warps_.assign(warps, {});
    meetings_ = {};
    published_.clear();
}

void BlockClock::join(Known& to, const Known& from) {
    for (std::uint32_t warp = 0; warp < most_warps; ++warp) to[warp] = std::max(to[warp], from[warp]);
}

void BlockClock::tell(Message& message, const WarpClock& clock, std::uint32_t warp, std::uint32_t own) {
    join(message.known, clock.known);
    message.known[warp] = std::max(message.known[warp], own);
    message.fence = std::max(message.fence, clock.fence);
    message.device_fence = std::max(message.device_fence, clock.device_fence);
    message.horizon.join(clock.horizon);
}

void BlockClock::learn(WarpClock& clock, const Message& message) {
    join(clock.known, message.known);
    clock.fence = std::max(clock.fence, message.fence);
    clock.device_fence = std::max(clock.device_fence, message.device_fence);
    clock.horizon.join(message.horizon);
}

std::vector<std::uint32_t>& BlockClock::lane_rows(WarpClock& warp) const {
    if (warp.lanes.empty()) warp.lanes.assign(std::size_t{lane_count} * lane_count, 0);
    return warp.lanes;
}

bool BlockClock::is_ordered(std::uint32_t stamp, std::uint32_t earlier, std::uint32_t later) const {
    if (stamp < all_before_ || earlier == later) return true;
    const WarpClock& warp = warps_[later / lane_count];
    if (earlier / lane_count != later / lane_count) return stamp < warp.known[earlier / lane_count];
    if (stamp < warp.lanes_before) return true;
    return !warp.lanes.empty() &&
           stamp < warp.lanes[std::size_t{later % lane_count} * lane_count + earlier % lane_count];
}

void BlockClock::synchronise_lanes(std::uint32_t warp, std::uint32_t lanes) {
    WarpClock& clock = warps_[warp];
    ++now_;
    if (lanes == LaneMask::full().bits) {
        clock.lanes_before = now_;
        return;
    }
    std::vector<std::uint32_t>& rows = lane_rows(clock);
    std::array<std::uint32_t, lane_count> met{};
    for_each_bit(lanes, [&](std::uint32_t lane) {
        for (std::uint32_t other = 0; other < lane_count; ++other)
            met[other] = std::max(met[other], rows[std::size_t{lane} * lane_count + other]);
    });
    for_each_bit(lanes, [&](std::uint32_t lane) { met[lane] = now_; });
    for_each_bit(lanes, [&](std::uint32_t lane) {
        std::copy(met.begin(), met.end(), rows.begin() + static_cast<std::ptrdiff_t>(lane) * lane_count);
    });
}

void BlockClock::arrive(std::uint32_t warp, std::uint32_t barrier, bool waits) {
    Meeting& meeting = meetings_[barrier];
    tell(meeting.message, warps_[warp], warp, ++now_);
    if (waits) meeting.waiting |= 1U << warp;
}

void BlockClock::complete(std::uint32_t barrier, bool whole_block) {
    Meeting& meeting = meetings_[barrier];
    ++now_;
    if (whole_block) all_before_ = now_;
    for_each_bit(meeting.waiting, [&](std::uint32_t warp) {
        WarpClock& clock = warps_[warp];
        learn(clock, meeting.message);
        clock.lanes_before = now_;
    });
    meeting = {};
}

void BlockClock::fence(std::uint32_t warp, bool of_device) {
    ++now_;
    warps_[warp].fence = now_;
    if (of_device) warps_[warp].device_fence = now_;
}

void BlockClock::release(std::uint32_t warp, std::uint64_t location) {
    const WarpClock& clock = warps_[warp];
    if (clock.fence == 0) return;
    tell(published_[location], clock, warp, clock.fence);
}

void BlockClock::release_all(std::uint32_t warp, std::uint64_t location) {
    tell(published_[location], warps_[warp], warp, ++now_);
}

void BlockClock::acquire(std::uint32_t warp, std::uint32_t lanes, std::uint64_t location) {
    if (published_.empty()) return;
    const auto found = published_.find(location);
    if (found == published_.end()) return;
    WarpClock& clock = warps_[warp];
    learn(clock, found->second);
    const std::uint32_t own = found->second.known[warp];
    if (own <= clock.lanes_before) return;
    std::vector<std::uint32_t>& rows = lane_rows(clock);
    for_each_bit(lanes, [&](std::uint32_t lane) {
        for (std::uint32_t other = 0; other < lane_count; ++other) {
            std::uint32_t& known = rows[std::size_t{lane} * lane_count + other];
            known = std::max(known, own);
        }
    });
}

}  // namespace sassafras::sim
