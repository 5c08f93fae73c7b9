// Any line of the set goes. The draws begin anew with an empty cache, and differ from one cache of a GPU to the next.
#pragma once

#include <cstdint>

#include "core/random.hpp"
#include "sim/timing/memory/cache_set.hpp"

namespace sassafras::sim {

class RandomReplacement {
  public:
    explicit RandomReplacement(const CacheShape& shape) : seed_(shape.number), random_(seed_) {}

    template <class Set>
    std::uint32_t victim(const Set& set) {
        return static_cast<std::uint32_t>(random_.below(set.ways()));
    }
    void clear() { random_ = Random(seed_); }

  private:
    std::uint64_t seed_;
    Random random_;
};

}  // namespace sassafras::sim
