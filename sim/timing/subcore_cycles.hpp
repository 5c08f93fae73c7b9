// What the sub-cores of a launch's SMs were busy with, added up.
#pragma once

#include <cstdint>

namespace sassafras::sim {

struct SubCoreCycles {
    std::uint64_t active = 0;    ///< with a warp
    std::uint64_t xu_waits = 0;  ///< in which XU could not go on, as a result of it waited for its register bank

    void add(const SubCoreCycles& more) {
        active += more.active;
        xu_waits += more.xu_waits;
    }
};

}  // namespace sassafras::sim
