// What passed through L2 in a launch, as shares of the most that its slices take in and send. What they are is read
// from the breakdowns of 70 launches on an H200 (validate/records/h200/full).
#pragma once

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/traffic.hpp"

namespace sassafras::sim {

struct L2Shares {
    double from_crossbar = 0;  ///< 1: a slice takes in something in each of its cycles
    double to_crossbar = 0;    ///< 1: and sends two sectors
};

/// `cycles`: of the launch, above 0.
[[nodiscard]] L2Shares shares_of_l2(const L2Traffic& l2, double cycles, const Platform& platform);

}  // namespace sassafras::sim
