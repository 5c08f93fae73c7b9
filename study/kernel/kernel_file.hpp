// The kernel that a user names, in the file that a user has: a cubin, a fat binary, an object or a program of nvcc.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "isa/sass/architecture.hpp"

namespace sassafras::study {

struct FoundKernel {
    std::vector<std::byte> cubin;  ///< the one with the kernel that a GPU of the compute capability loads
    std::string name;              ///< mangled, as in the cubin
};

/// `wanted` is the kernel's mangled name; or as people read it: "scale(float*, int)"; or that without parameters and
/// namespaces where only one kernel is called so. Errors: bad_input, naming `origin`: no such kernel, or several, which
/// are listed; no code for that GPU; code that was not linked. A cubin is given back as it is even if it is damaged:
/// loading it says why.
[[nodiscard]] Result<FoundKernel> find_kernel(std::vector<std::byte> file, const std::string& origin,
                                              const std::string& wanted, isa::ComputeCapability capability);

}  // namespace sassafras::study
