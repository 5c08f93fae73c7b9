// What comes to pass in an SM at a cycle that is known beforehand.
#pragma once

#include <cstdint>

#include "sim/engine/event_wheel.hpp"

namespace sassafras::sim {

struct SmEvent {
    enum class Kind : std::uint8_t {
        release_write,
        release_read,
        wake,
        timer,
        answer,  ///< sectors come to the SM
        fill,    ///< and are in it
        writeback,
        acknowledge,
        drained
    } kind{};
    std::uint8_t scoreboard = 0;
    std::uint16_t warp = 0;   ///< slot
    std::uint32_t token = 0;  ///< of the memory unit, or the number of a sleep
    std::uint64_t age = 0;    ///< of the warp that it is meant for: the slot may have been given to another
};

using SmEvents = EventWheel<SmEvent>;

}  // namespace sassafras::sim
