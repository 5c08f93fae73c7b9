// Kernel arguments, checked against the kernel's parameters and laid out as its code expects them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "isa/cubin/cubin.hpp"
#include "sim/device/device.hpp"

namespace sassafras::sim {

/// The error for a name that no kernel of the cubin has; it lists those that there are.
[[nodiscard]] Error unknown_kernel(const isa::Cubin& cubin, const std::string& name, const std::string& origin);

/// Error bad_input, naming the parameter, unless count and sizes agree with the kernel's. `where` goes into the error.
[[nodiscard]] Result<void> check_arguments(const isa::Kernel& kernel, const Arguments& arguments,
                                           const std::string& where);

/// The parameter area: Kernel::parameter_bytes bytes (or up to the end of the last parameter, if that is more), gaps
/// zero.
[[nodiscard]] Result<std::vector<std::byte>> pack_parameters(const isa::Kernel& kernel, const Arguments& arguments,
                                                             const std::string& where);

}  // namespace sassafras::sim
