// What blocks that are executed and not timed leave in an SM's L1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/timing/memory/untimed_access.hpp"

namespace sassafras::sim {

/// Those of `turns` that are of the SM with this number, `together` blocks at a time. These take turns access by
/// access, and so do their warps: where all of them read the same table, what else they access comes between all of its
/// reads (workload search, variant pbs). What L1 has, loses its sectors in `turns`, and L2 does not hear of it.
template <class Sm>
void leave_in_l1(Sm& sm, std::uint32_t number, std::span<UntimedTurn> turns, std::uint32_t together) {
    struct Warp {
        UntimedAccess* next = nullptr;
        UntimedAccess* end = nullptr;
    };
    std::vector<Warp> warps;
    std::vector<UntimedAccess> evicted;
    std::uint32_t blocks = 0;
    const auto pass = [&](UntimedTurn& last) {
        while (!warps.empty()) {
            for (Warp& warp : warps) sm.leave_untimed(*warp.next++, evicted);
            std::erase_if(warps, [](const Warp& warp) { return warp.next == warp.end; });
        }
        last.accesses.insert(last.accesses.end(), evicted.begin(), evicted.end());
        evicted.clear();
        blocks = 0;
    };
    UntimedTurn* last = nullptr;
    for (UntimedTurn& turn : turns) {
        if (turn.sm != number) continue;
        last = &turn;
        std::uint32_t first = 0;
        for (const std::uint32_t end : turn.ends) {
            if (end != first) warps.push_back({turn.accesses.data() + first, turn.accesses.data() + end});
            first = end;
        }
        if (++blocks == together) pass(turn);
    }
    if (blocks != 0) pass(*last);
}

}  // namespace sassafras::sim
