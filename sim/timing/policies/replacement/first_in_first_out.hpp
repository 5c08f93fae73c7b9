// The line that came first goes, whatever was used since. Ways fill in order, so a pointer a set that goes round is the
// order of arrival.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/timing/memory/cache_set.hpp"

namespace sassafras::sim {

class FirstInFirstOut {
  public:
    explicit FirstInFirstOut(const CacheShape& shape) : first_(shape.sets, 0) {}

    template <class Set>
    std::uint32_t victim(const Set& set) {
        const std::uint32_t way = first_[set.number()];
        first_[set.number()] = way + 1 == set.ways() ? 0 : way + 1;
        return way;
    }
    void clear() { std::fill(first_.begin(), first_.end(), 0U); }

  private:
    std::vector<std::uint32_t> first_;  ///< by set: the way that was filled first
};

}  // namespace sassafras::sim
