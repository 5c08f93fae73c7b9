// A resolved platform as JSON again, for results and for whoever reads it back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/platform/platform_reader.hpp"

namespace sassafras::sim {

/// {"name": ..., "sm": {"max_warps": {"value": 64, "provenance": "datasheet", "source": "..."}, ...}, ...}, in the
/// order of Platform::visit_machine: what decides results, so no limits.
[[nodiscard]] nlohmann::ordered_json platform_json(const ResolvedPlatform& resolved);
/// The same with the limits, indented by two spaces, with a newline at the end: it can be read back as a whole platform
/// and has the same hash.
[[nodiscard]] std::string platform_text(const ResolvedPlatform& resolved);
/// The JSON Schema (2020-12) of platform files, made from Platform::visit: configs/platform.schema.json.
[[nodiscard]] std::string platform_schema();

}  // namespace sassafras::sim
