// The two modelled GPUs.
#pragma once

#include <memory>

#include "sim/device/model_options.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// Execution only. Counts what needs no time: instructions, threads, shared-memory wavefronts, global sectors. A warp
/// that reads a clock gets the number of warp instructions that the launch has run so far.
[[nodiscard]] std::unique_ptr<ModelledDevice> make_functional_device(const Platform& platform, ModelOptions options);

/// Execution and timing: all that the functional device counts, cycles, caches, DRAM, stall reasons.
[[nodiscard]] std::unique_ptr<ModelledDevice> make_simulated_device(const Platform& platform, ModelOptions options);

}  // namespace sassafras::sim
