// Puts an observer between the interpreter and the instructions that it wants to see. Only a launch that is observed
// has these handlers.
#pragma once

#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

/// Replaces the handlers of memory accesses, fences and __syncwarp() by ones that call them and tell launch.observer.
/// After Lowering::run().
void observe_instructions(Launch& launch);

}  // namespace sassafras::sim
