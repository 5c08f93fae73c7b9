// What a replacement policy sees of a cache. A policy is a class with
//
//     explicit Policy(const CacheShape&);
//     template <class Set> std::uint32_t victim(const Set& set);   // the way of a full set that goes
//     void clear();                                                // the cache is empty: as just constructed
//
// where `Set` has number(), ways() and last_use(way): a number that is greater the later the way was last used (being
// filled is a use).
#pragma once

#include <cstdint>

namespace sassafras::sim {

struct CacheShape {
    std::uint64_t sets = 1;
    std::uint32_t ways = 1;
    std::uint64_t number = 0;  ///< of the cache among those of its kind
};

}  // namespace sassafras::sim
