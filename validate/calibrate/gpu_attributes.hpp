// What the CUDA driver says of a GPU, by the place that it has in a platform.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::validate::calibrate {

struct GpuAttribute {
    std::string pointer;  ///< of the number in a platform: "/sm/max_blocks"
    double value = 0;     ///< in that number's unit
    std::string said_by;  ///< "cudaDevAttrMaxBlocksPerMultiprocessor"; two names if both are needed
};

struct GpuAttributes {
    std::string name;            ///< "NVIDIA H100 80GB HBM3"
    std::string driver_version;  ///< of CUDA that the driver supports: "13.0"; of a modelled GPU empty
    std::vector<GpuAttribute> values;
};

/// Of GPU `ordinal` of this machine. Error bad_input where there is no driver or no such GPU. What a driver does not
/// know is left out.
[[nodiscard]] Result<GpuAttributes> driver_attributes(int ordinal = 0);

/// The same of a modelled GPU, as a driver for it would answer.
[[nodiscard]] GpuAttributes modelled_attributes(const sim::Platform& platform);

}  // namespace sassafras::validate::calibrate
