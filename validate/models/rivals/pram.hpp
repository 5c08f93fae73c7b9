// PRAM (S. Fortune, J. Wyllie, STOC 1978), concurrent reads, exclusive writes; Karsin 2.1, 3.2.1: every access takes a
// unit of time, wherever the word is.
#pragma once

#include "validate/models/rivals/launch_view.hpp"

namespace sassafras::validate::rivals {

/// Brent's scheduling: `work` of all processors, `depth` of the longest, on `processors` takes at most so long.
[[nodiscard]] inline double pram(double work, double depth, double processors) { return work / processors + depth; }

/// The row of compare(): an instruction of a thread a unit; the depth is a warp's instructions.
[[nodiscard]] inline double pram_of(const LaunchView& view) {
    return pram(view.launch.instructions() * view.lanes, view.a_warp(view.launch.instructions()), view.instance.cores);
}

}  // namespace sassafras::validate::rivals
