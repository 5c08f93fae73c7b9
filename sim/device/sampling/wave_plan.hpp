// Which blocks of a launch are timed when it is sampled: some waves of as many blocks as the GPU holds at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sassafras::sim {

/// Blocks [first, first + count) of a grid.
struct BlockRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// Two waves at the beginning, of which the first finds the GPU empty and the second as it will be; `measured` waves
/// from all over the grid, each between the two that are next to it there: the one before brings to the caches what
/// neighbours share, and while a wave's blocks end those of the one behind begin; the last wave, and with it what
/// remains of the grid after whole waves, so that the launch ends as the whole one does.
struct WavePlan {
    std::uint64_t wave = 0;          ///< blocks
    std::uint64_t measured = 0;      ///< waves
    std::vector<BlockRange> timed;   ///< in the order in which they are dispatched
    std::vector<BlockRange> others;  ///< ascending
    std::uint64_t timed_blocks = 0;
    std::uint64_t other_blocks = 0;
    /// Numbers of blocks that have ended, two for each measured wave: between them a wave's worth of work is done.
    std::vector<std::uint64_t> marks;
};

/// Nothing where the launch is too small for that to spare half of the work. `seed` decides where in its part of the
/// grid each measured wave lies.
[[nodiscard]] std::optional<WavePlan> plan_waves(std::uint64_t blocks, std::uint64_t wave, std::uint64_t measured,
                                                 std::uint64_t seed);

}  // namespace sassafras::sim
