#include "sim/check/grid_clock.hpp"

#include <algorithm>

namespace sassafras::sim {

void GridClock::release(std::uint32_t block, std::uint32_t fence, std::uint64_t location) {
    std::vector<Release>& releases = blocks_[block];
    ++now_;
    if (releases.empty() || releases.back().fence < fence) releases.push_back({fence, now_});
    locations_[location] = now_;
}

std::uint64_t GridClock::released(std::uint64_t location) const {
    if (locations_.empty()) return 0;
    const auto found = locations_.find(location);
    return found == locations_.end() ? 0 : found->second;
}

bool GridClock::is_ordered(std::uint32_t block, std::uint32_t stamp, std::uint64_t horizon) const {
    if (horizon == 0) return false;
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return false;
    // Nothing is added to releases that an earlier one covers: the first behind the stamp is the earliest.
    const auto first = std::upper_bound(found->second.begin(), found->second.end(), stamp,
                                        [](std::uint32_t at, const Release& release) { return at < release.fence; });
    return first != found->second.end() && first->time <= horizon;
}

}  // namespace sassafras::sim
