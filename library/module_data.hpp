// What a Module of the headers holds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <sassafras/module.hpp>

namespace sassafras::SASSAFRAS_VERSIONED {
namespace internal {

struct ModuleData {
    std::vector<std::byte> cubin;
    std::string origin;
    std::vector<KernelInfo> kernels;
};

}  // namespace internal
}  // namespace sassafras::SASSAFRAS_VERSIONED
