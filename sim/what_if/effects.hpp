// What the rows of the list do: the functions of each are in the file of its name.
#pragma once

#include <memory>

#include "sim/what_if/what_if.hpp"

namespace sassafras::sim {

// no_bank_conflicts.cpp
[[nodiscard]] std::unique_ptr<AccessRewriter> without_bank_conflicts(const Platform& platform);

// perfect_coalescing.cpp
[[nodiscard]] std::unique_ptr<AccessRewriter> in_least_sectors(const Platform& platform);

// no_spills.cpp
[[nodiscard]] bool accesses_local_memory(const isa::Instruction& instruction);

// no_barrier_waits.cpp
[[nodiscard]] bool is_block_barrier(const isa::Instruction& instruction);

// fp64_as_fp32.cpp
void become_fp32(isa::Instruction& instruction);
[[nodiscard]] bool converts_to_or_from_fp64(const isa::Instruction& instruction);

// no_atomic_contention.cpp
[[nodiscard]] std::unique_ptr<AccessRewriter> without_atomic_contention(const Platform& platform);

// full_occupancy.cpp
void hold_all_warps(Platform& platform);

}  // namespace sassafras::sim
