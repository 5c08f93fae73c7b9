// How many threads a measurement has.
#pragma once

#include <cstdint>

#include "sim/device/device.hpp"
#include "workloads/selection.hpp"

namespace sassafras::workloads::micro {

/// M_o blocks of b threads for every SM.
struct Grid {
    std::uint32_t blocks = 0;
    std::uint32_t threads = 0;  ///< a block
    [[nodiscard]] std::uint64_t all_threads() const { return std::uint64_t{blocks} * threads; }
};

inline Grid grid_of(const sim::Device& device, const Selection& selection) {
    return {static_cast<std::uint32_t>(selection.parameter("M_o")) * device.sm_count(),
            static_cast<std::uint32_t>(selection.parameter("b"))};
}

inline sim::Launch launch_of(sim::ModuleId module, const std::string& kernel, const Grid& grid) {
    sim::Launch launch;
    launch.module = module;
    launch.kernel = kernel;
    launch.grid = {grid.blocks, 1, 1};
    launch.block = {grid.threads, 1, 1};
    return launch;
}

}  // namespace sassafras::workloads::micro
