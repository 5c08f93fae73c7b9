// Which blocks of a launch are timed when it is sampled: some waves of as many blocks as the GPU holds at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sassafras::sim {

/// Blocks [first, first + count) of a grid.
struct BlockRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// Two waves at the beginning, of which the first finds the GPU empty and the second as it will be; windows from all
/// over the grid, of some measured waves between two others: while a wave's blocks end those of the one behind begin;
/// the last wave, and with it what remains of the grid after whole waves, so that the launch ends as the whole one
/// does.
struct WavePlan {
    std::uint64_t wave = 0;  ///< blocks
    std::uint64_t windows = 0;
    std::uint64_t measured = 0;     ///< waves of a window
    std::vector<BlockRange> timed;  ///< in the order in which they are dispatched
    std::uint64_t timed_blocks = 0;
    /// Numbers of blocks that have ended, two for each window: between them its measured waves' worth of work is done.
    std::vector<std::uint64_t> marks;

    /// What of the timed blocks come behind others that are not: the number of the first of timed[1], timed[2] and so
    /// on among the timed ones.
    [[nodiscard]] std::vector<std::uint64_t> pauses() const {
        std::vector<std::uint64_t> firsts;
        std::uint64_t number = 0;
        for (std::size_t i = 0; i + 1 < timed.size(); ++i) firsts.push_back(number += timed[i].count);
        return firsts;
    }
    /// The blocks that are not timed between timed[i - 1] and timed[i]; i > 0. Maybe none.
    [[nodiscard]] BlockRange before(std::size_t i) const {
        const std::uint64_t from = timed[i - 1].first + timed[i - 1].count;
        return {from, timed[i].first - from};
    }
};

/// Nothing where the launch is too small for that to spare half of the work. Of a launch of many waves a sixteenth is
/// timed, and at most some hundred waves. `seed` decides where in its part of the grid each window lies.
[[nodiscard]] std::optional<WavePlan> plan_waves(std::uint64_t blocks, std::uint64_t wave, std::uint64_t seed);

}  // namespace sassafras::sim
