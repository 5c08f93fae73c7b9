// A platform of which the command line changes some numbers: --set l2.bytes=25M --set gpu.sm_count=66.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::sim {

/// As load_platform(name_or_path), with some parameters changed. A setting is GROUP.PARAMETER=VALUE: the value a number
/// (also 2^20, or with k, M or G for 2^10, 2^20, 2^30), a list in brackets, or a name. Its name says what is changed.
/// Errors: bad_input, every fault with the setting's text, those of load_platform, and a parameter set twice.
[[nodiscard]] Result<ResolvedPlatform> load_platform(std::string_view name_or_path,
                                                     std::span<const std::string> settings);

/// A setting with its value as JSON has it, so that two ways of writing it are the same text: "/l2/bytes=26214400".
/// Error bad_input if it is none; whether there is such a parameter is not looked at.
[[nodiscard]] Result<std::string> normal_setting(std::string_view setting);

}  // namespace sassafras::sim
