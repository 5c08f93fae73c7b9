#include "sim/check/grid_clock.hpp"

namespace sassafras::sim {

void GridClock::add(Releases& releases, const Release& release) {
    // What an earlier release covers is not told again.
    if (releases.empty() || releases.back().before < release.before) releases.push_back(release);
}

void GridClock::release(std::uint32_t block, std::uint32_t fence, std::uint32_t now, std::uint64_t location) {
    OfBlock& releases = blocks_[block];
    GridTime& at = locations_[location];
    ++now_;
    add(releases.reads, {now, now_});
    at.reads = now_;
    if (fence == 0) return;
    add(releases.all, {fence, now_});
    at.all = now_;
}

GridTime GridClock::released(std::uint64_t location) const {
    if (locations_.empty()) return {};
    const auto found = locations_.find(location);
    return found == locations_.end() ? GridTime{} : found->second;
}

bool GridClock::is_ordered(std::uint32_t block, std::uint32_t stamp, bool is_read, const GridTime& horizon) const {
    const std::uint64_t learnt = is_read ? horizon.reads : horizon.all;
    if (learnt == 0) return false;
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return false;
    const Releases& releases = is_read ? found->second.reads : found->second.all;
    // The first release behind the stamp is the earliest.
    const auto first = std::upper_bound(releases.begin(), releases.end(), stamp,
                                        [](std::uint32_t at, const Release& release) { return at < release.before; });
    return first != releases.end() && first->time <= learnt;
}

}  // namespace sassafras::sim
