// Whose numbers a GPU starts from.
#pragma once

#include <string>

#include "core/result.hpp"
#include "isa/sass/architecture.hpp"

namespace sassafras::validate::calibrate {

/// Of the platforms in the program, but the one called `but`: the one of the nearest compute capability; of several the
/// one with the most measured numbers, then the first by name.
[[nodiscard]] Result<std::string> nearest_platform(isa::ComputeCapability capability, const std::string& but);

}  // namespace sassafras::validate::calibrate
