// A launch's profile, as the runtime library writes it down and `sassafras exec` reads it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/timing/launch_profile.hpp"

namespace sassafras::cudart {

/// null for an empty one.
[[nodiscard]] nlohmann::ordered_json profile_json(const sim::LaunchProfile& profile);
/// Throws nlohmann::json::exception if the JSON is not as profile_json writes it.
[[nodiscard]] sim::LaunchProfile read_profile(const nlohmann::ordered_json& json);

}  // namespace sassafras::cudart
