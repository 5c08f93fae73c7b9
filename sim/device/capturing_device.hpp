// A modelled GPU that executes and writes the records of each launch to a trace file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/device/model_options.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// Files go into `folder`, which exists, and a line a launch into `traced`, which must outlive the device. Of the
/// platform, the program sees the number of SMs; a warp that reads a clock gets the number of warp instructions that
/// the launch has run so far. Results have the one count that capturing takes, smsp__inst_executed.sum.
[[nodiscard]] std::unique_ptr<ModelledDevice> make_capturing_device(const Platform& platform, ModelOptions options,
                                                                    std::string folder,
                                                                    std::vector<TracedLaunch>& traced);

}  // namespace sassafras::sim
