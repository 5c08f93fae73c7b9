// A block of a launch: its state at the start, and running all of its warps.
#pragma once

#include <cstdint>

#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

/// All warps stand at the kernel's first instruction; registers and memory of the block are zero.
void set_up(Launch& launch, Block& block);

/// As TraceSource::advance(). Of a part that executes while others do, an error is only a sign that it stopped.
[[nodiscard]] Result<void> advance_block(Launch& launch, Block& block, std::uint64_t instructions_ahead);

}  // namespace sassafras::sim
