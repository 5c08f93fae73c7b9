// The modelled GPUs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/device/model_options.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// Execution only. Counts what needs no time: instructions, threads, shared-memory wavefronts, global sectors. A warp
/// that reads a clock gets the number of warp instructions that the launch has run so far.
[[nodiscard]] std::unique_ptr<ModelledDevice> make_functional_device(const Platform& platform, ModelOptions options);

/// Execution and timing: all that the functional device counts, cycles, caches, DRAM, stall reasons.
[[nodiscard]] std::unique_ptr<ModelledDevice> make_simulated_device(const Platform& platform, ModelOptions options);

/// Where what a launch's warps did is written while it is timed.
struct TraceRecording {
    std::string folder;                             ///< which exists
    std::vector<TracedLaunch>* launches = nullptr;  ///< gets a line a launch, but for those that are left out without
                                                    ///< ModelOptions::times_unselected; outlives the device
};

/// The simulated device, whose launches can be timed again by Replay: to the same cycles, also where warps wait for
/// one another or read clocks, as the records are those that timing saw.
[[nodiscard]] std::unique_ptr<ModelledDevice> make_recording_device(const Platform& platform, ModelOptions options,
                                                                    TraceRecording recording);

}  // namespace sassafras::sim
