// Where a GPU begins to deal the blocks of a launch, which follows from the launches before it and beside it.
#pragma once

#include <cstdint>

namespace sassafras::sim {

struct DealtFrom {
    std::uint32_t gpc = 0;  ///< of the GPCs that get blocks in turn: how many behind the first of them
    bool first_sms = true;  ///< the SMs that come before all others (gpu.first_sms) have no other launch's blocks

    [[nodiscard]] bool operator==(const DealtFrom&) const = default;
};

}  // namespace sassafras::sim
