// What a warp has executed and its trace does not have yet.
#pragma once

#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

inline void flush_segment(Warp& warp) {
    if (warp.pending.count != 0) warp.trace->push_segment(warp.pending);
    warp.pending.count = 0;
}

/// Adds `count` instructions from `first` on to the pending segment, or begins another one.
inline void note_segment(Warp& warp, std::uint32_t first, std::uint32_t count, std::uint32_t mask) {
    if (warp.pending.count != 0) {
        if (warp.pending.mask == mask && warp.pending.first + warp.pending.count == first) {
            warp.pending.count += count;
            return;
        }
        warp.trace->push_segment(warp.pending);
    }
    warp.pending = {first, count, mask};
}

}  // namespace sassafras::sim
