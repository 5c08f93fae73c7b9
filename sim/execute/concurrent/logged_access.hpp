// Global accesses of a part of a launch that executes while others do.
#pragma once

#include "sim/execute/memory_access.hpp"

namespace sassafras::sim {

/// resolve_global() for a warp with a log, which learns of the access. Where that is not possible, the fault says
/// not_together.
[[nodiscard]] std::uintptr_t resolve_logged(Warp& warp, const MicroOp& op, LaneAddresses& address, std::uint32_t mask,
                                            std::uint32_t size, AccessKind kind);
/// The same for one lane of a generic access; false after recording a fault.
[[nodiscard]] bool note_lane(Warp& warp, const MicroOp& op, std::uint64_t address, const std::byte* host,
                             std::uint32_t size, AccessKind kind);

}  // namespace sassafras::sim
