// Stall counts of a kernel from which instructions have gone, as a compiler would set them: the counts that it has were
// set with those instructions in between.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/program/program.hpp"

namespace sassafras::sim {

/// Of each instruction, 0 for those that are gone. `latencies`: cycles from the issue of an instruction of fixed
/// latency until its result is there, of each. Basic blocks of which nothing is gone keep what they have. In the
/// others an instruction waits for what it reads as long as its producer takes, and never longer than it did; a result
/// that went through a conversion which is gone is there when what was converted is; one that was loaded by an access
/// which is gone is there at once. Nothing that runs on behind a block comes sooner than it may.
[[nodiscard]] std::vector<std::uint8_t> stall_counts(const isa::Program& program, const std::vector<bool>& is_gone,
                                                     std::span<const std::uint16_t> latencies);

}  // namespace sassafras::sim
