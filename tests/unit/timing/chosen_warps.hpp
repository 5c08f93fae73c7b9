// A sub-core whose warps a test sets (sim/timing/sm/ready_warps.hpp).
#pragma once

#include <array>
#include <cstdint>

#include "sim/timing/sm/ready_warps.hpp"

namespace sassafras::sim::test {

struct ChosenWarps {
    [[nodiscard]] std::uint32_t candidates() const { return candidate_bits; }
    [[nodiscard]] std::uint32_t last() const { return last_warp; }
    [[nodiscard]] bool yields(std::uint32_t warp) const { return contains(yield_bits, warp); }
    [[nodiscard]] std::uint64_t age(std::uint32_t warp) const { return ages.at(warp); }
    [[nodiscard]] std::uint64_t block_age(std::uint32_t warp) const { return blocks.at(warp); }
    bool can_issue(std::uint32_t warp) {
        asked_bits |= 1U << warp;
        return contains(free_bits, warp);
    }

    std::uint32_t candidate_bits = 0;
    std::uint32_t free_bits = ~0U;  ///< whose unit is free
    std::uint32_t yield_bits = 0;   ///< whose next instruction has the yield hint
    std::uint32_t last_warp = no_warp;
    std::array<std::uint64_t, no_warp> ages{};
    std::array<std::uint64_t, no_warp> blocks{};
    std::uint32_t asked_bits = 0;
};

}  // namespace sassafras::sim::test
