// Which instructions have results that depend on when they are executed, among those of other warps.
#pragma once

#include <vector>

#include "isa/program/program.hpp"

namespace sassafras::isa {

/// By instruction: its result, or its effect, is another one if warps execute in another order, and the program goes
/// round again because of it. In a program that compares and swaps (ATOM.CAS, ATOMS.CAST.SPIN, ...) those are its
/// atomics, its strong loads and stores, and the loads of the values that are compared: who loaded a word before
/// another warp changed it swaps in vain. Empty for a program that never compares and swaps.
[[nodiscard]] std::vector<bool> contended_instructions(const Program& program);

/// By instruction: it loads from shared memory what an ATOMS.CAST.SPIN compares. Only the compiler writes those, for
/// atomics that shared memory lacks (an addition of floats), of which the load is a part. Empty where there are none.
[[nodiscard]] std::vector<bool> loads_of_tried_swaps(const Program& program);

}  // namespace sassafras::isa
