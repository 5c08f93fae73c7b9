// Relations between parameters that any machine must keep. Ranges of single parameters are in Platform::visit.
#pragma once

#include <string>
#include <vector>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

struct BrokenConstraint {
    std::vector<std::string> pointers;  ///< of the parameters it relates; the first is the one to blame
    std::string what;
};

/// Every parameter must be in its own range, or 0: not read.
[[nodiscard]] std::vector<BrokenConstraint> broken_constraints(const Platform& platform);

}  // namespace sassafras::sim
