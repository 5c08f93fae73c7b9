// The last part of a launch, in which no block waits for its place any more: from then on other kernels find places.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sassafras::sim {

struct LaunchTail {
    std::uint64_t blocks = 0;            ///< that run when it begins: all, if they all start at once
    std::uint64_t begin = 0;             ///< cycle at which the last block starts
    std::uint64_t instructions = 0;      ///< that warps had issued before, to a round's length
    std::uint64_t first_end = 0;         ///< of a block, from then on
    std::uint64_t before_first_end = 0;  ///< instructions, likewise, that warps had issued by then
    std::uint64_t block_cycles = 0;      ///< of all blocks, from `begin` to the end of each

    /// Of a block that ended at `time`. Unless one starts behind it, its place is free from then on. `issued` says how
    /// many instructions warps have issued.
    template <class Issued>
    void note_end(std::uint64_t time, Issued issued) {
        if (blocks == 0) return;
        const std::uint64_t in_tail = time - std::min(time, begin);
        block_cycles += in_tail;
        if (first_end != 0) return;
        first_end = begin + in_tail;
        before_first_end = issued();
    }
};

}  // namespace sassafras::sim
