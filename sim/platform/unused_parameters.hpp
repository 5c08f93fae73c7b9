// Which parameters of a platform no result depends on: those of policies that it does not choose, and of what it does
// not model.
#pragma once

#include <string_view>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// By a parameter's JSON pointer. Parameters that only count for some kernels count.
[[nodiscard]] bool is_unused(const Platform& platform, std::string_view pointer);

}  // namespace sassafras::sim
