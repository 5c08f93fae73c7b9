// How many threads of a launch a machine holds at a time: what the model calls M_o, for a launch that was run.
#pragma once

#include "validate/models/profile/kernel_profile.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::validate::spt {

/// Threads a core that `instance` holds at a time: limits of registers and of shared memory (Karsin 4.7, without the
/// factor b that the print has too many), of the hardware, and of the launch itself. Above zero.
[[nodiscard]] double oversubscription(const KernelProfile& profile, const Instance& instance);

}  // namespace sassafras::validate::spt
