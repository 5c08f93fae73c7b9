// Every rival on the same inputs: the launches of a functional run, and a machine as the SPT model knows it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "validate/models/profile/kernel_profile.hpp"
#include "validate/models/rivals/launch_view.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::validate::rivals {

struct RivalEstimate {
    std::string model;   ///< "roofline", "hong-kim", ...
    std::string unit;    ///< "cycles"; "transfers" where a model has no time
    double value = 0;    ///< over all launches
    std::string source;  ///< authors and year
    std::string note;    ///< what the model leaves out, and what was put in for inputs that it wants and we have not
    std::vector<Part> parts{};  ///< that add up to the value, where the source has them apart
    bool has_sync = false;      ///< the value has L_sync of each launch in it
};

/// The models' names, in the order of compare().
[[nodiscard]] std::vector<std::string> model_names();

/// The models in a fixed order. The instance must have operations g, s and r: their L and B are the models' latencies
/// and bandwidths. Error bad_input if it lacks one.
[[nodiscard]] Result<std::vector<RivalEstimate>> compare(std::span<const KernelProfile> launches,
                                                         const spt::Instance& instance);

}  // namespace sassafras::validate::rivals
