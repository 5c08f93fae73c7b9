// Counts of a functional run in the place of a formula's, so that the error of the counts and of the model can be told
// apart.
#pragma once

#include <span>
#include <string>

#include "validate/models/profile/kernel_profile.hpp"
#include "validate/models/spt/model.hpp"

namespace sassafras::validate::spt {

/// One kernel a kind of launch (name, grid and block). With w lanes and P cores:
///
///     g   8 words a 32-byte sector / P, addresses as the lanes give them, without caches
///     s   w accesses a wavefront / P, so bank conflicts are in it; local memory w an instruction (5.3.2)
///     r   w operations a warp instruction / P, all but memory, barriers and control
///     y   w barriers a warp's barrier / P
///
/// M_o is what the launch's registers, shared memory and grid allow on the instance. M_I comes from the first count of
/// the same operation in `formula`, or is 1.
[[nodiscard]] Algorithm measured_counts(std::span<const KernelProfile> launches, const Instance& instance,
                                        const Algorithm* formula);

}  // namespace sassafras::validate::spt
