// The line whose last use is longest ago goes.
#pragma once

#include <cstdint>

#include "sim/timing/memory/cache_set.hpp"

namespace sassafras::sim {

class LeastRecentlyUsed {
  public:
    explicit LeastRecentlyUsed(const CacheShape& /*shape*/) {}

    template <class Set>
    std::uint32_t victim(const Set& set) const {
        std::uint32_t oldest = 0;
        for (std::uint32_t way = 1; way < set.ways(); ++way)
            if (set.last_use(way) < set.last_use(oldest)) oldest = way;
        return oldest;
    }
    void clear() {}
};

}  // namespace sassafras::sim
