// What an instruction does to the round of a warp: the trip of its kernel's loop, by which conflicts are told apart.
#pragma once

#include <cstdint>

namespace sassafras::sim {

enum class RoundStep : std::uint8_t {
    none,
    next,   ///< executing it begins the next round
    first,  ///< executing it begins round 1
};

}  // namespace sassafras::sim
