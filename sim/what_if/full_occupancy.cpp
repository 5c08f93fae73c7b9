// An SM holds as many warps as it has places for: registers, shared memory and the number of blocks are no limit. Its
// L1 stays as large as the kernel leaves it (TimedRun).
#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

void hold_all_warps(Platform& platform) {
    constexpr std::uint32_t registers_without_limit = 1U << 24U;  // the most that a platform may say, as below
    constexpr std::uint32_t bytes_without_limit = 1U << 28U;
    platform.sm.registers = registers_without_limit;
    platform.sm.shared_bytes = platform.sm.unified_l1_bytes = bytes_without_limit;
    platform.sm.max_blocks = platform.sm.max_warps;
}

}  // namespace sassafras::sim
