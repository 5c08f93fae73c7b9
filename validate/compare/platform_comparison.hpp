// All runs that are compared on one platform: each simulated, estimated, and measured or taken from the record.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "sim/device/model_options.hpp"
#include "validate/compare/cases.hpp"
#include "validate/compare/comparison.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::validate {

struct PlatformRequest {
    std::string platform;               ///< a shipped one's name, or a JSON file
    std::vector<std::string> settings;  ///< of its parameters that are others (sim/platform/platform_settings.hpp)
    spt::Instance instance;
    CaseChoice choice;
    sim::ModelOptions model;
    sim::Device* gpu = nullptr;     ///< a real GPU, which is measured in place of its record; none: nullptr
    std::uint32_t repetitions = 3;  ///< measurements of each run on `gpu`, of which the median counts
};

struct PlatformComparison {
    std::string platform;
    std::string hash;  ///< of the modelled GPU
    spt::Instance instance;
    std::string measured;  ///< "recorded"; the GPU's name if measured now; empty if not measured
    std::vector<Comparison> runs;
};

struct PlatformOutcome {
    PlatformComparison comparison;
    bool failed = false;  ///< a result is wrong, or the simulator says that a kernel failed
};

/// Errors: bad_input if there is no such platform, if nothing is chosen, or if the record is damaged; or whatever `gpu`
/// reports. A run that cannot be simulated is no error: its Comparison says why.
[[nodiscard]] Result<PlatformOutcome> compare_platform(const PlatformRequest& request);

}  // namespace sassafras::validate
