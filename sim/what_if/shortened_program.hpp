// A kernel in which instructions are others, or from which they are taken out, for timing only: nothing could execute
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/trace/warp_trace.hpp"
#include "sim/what_if/what_if.hpp"

namespace sassafras::sim {

struct ShortenedProgram {
    isa::Program program;                    ///< instructions and kernel only: no basic blocks
    std::vector<std::uint32_t> kept_before;  ///< by old index, and one more: instructions before it that are left

    /// What is left of a segment; its count may be 0.
    [[nodiscard]] Segment without(const Segment& segment) const {
        const std::uint32_t first = kept_before[segment.first];
        return {first, kept_before[segment.first + segment.count] - first, segment.mask};
    }
};

/// Cycles from the issue of each instruction of fixed latency until its result is there.
using LatenciesOf = std::function<std::vector<std::uint16_t>(const isa::Program& program)>;

/// What the what-if replaces and drops; what depends on what is as in the program. Stall counts are set anew where
/// something is gone (stall_counts.hpp); what an instruction that goes waits for is waited for by the one behind it,
/// what a store to local memory waits for by who reads or would have fetched the value.
[[nodiscard]] ShortenedProgram shorten(const isa::Program& program, const WhatIf& what_if,
                                       const LatenciesOf& latencies_of);

}  // namespace sassafras::sim
