// What can be chosen about a modelled GPU beside its platform.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/types.hpp"

namespace sassafras::sim {

struct ModelOptions {
    std::uint64_t instruction_limit =
        0;                      ///< warp instructions a warp may run before it counts as a runaway; 0: no limit
    std::uint32_t threads = 1;  ///< that simulate; results do not depend on it
    bool cold_caches = true;    ///< before every launch
    /// Called now and then while a launch runs: kernel, blocks done, blocks in all.
    std::function<void(const std::string&, std::uint64_t, std::uint64_t)> progress;
};

}  // namespace sassafras::sim
