// `sassafras microbench --spt`: the constants of the SPT model, from curves measured on a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "core/result.hpp"

namespace sassafras::cli {

struct SptOptions {
    bool wanted = false;
    bool ends_only = false;
    std::uint32_t repetitions = 1;
    std::uint32_t longer = 1;
    std::string launch_cycles;  ///< file of cycles that Nsight Compute measured; empty: the device measures
    std::string instance;       ///< file for the instance; empty: none
};

/// Measures, fits, prints. With a real GPU, --platform names the description of that GPU (cores, clock, L2).
[[nodiscard]] Result<int> microbench_spt(const SptOptions& options, const MeasureOptions& measure,
                                         const std::vector<std::string>& command);

}  // namespace sassafras::cli
