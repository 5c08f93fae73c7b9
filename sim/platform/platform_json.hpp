// A resolved platform as JSON again: it can be read back as a whole platform and has the same hash.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/platform/platform_reader.hpp"

namespace sassafras::sim {

/// {"name": ..., "sm": {"max_warps": {"value": 64, "provenance": "datasheet", "source": "..."}, ...}, ...}, in the
/// order of visit.
[[nodiscard]] nlohmann::ordered_json platform_json(const ResolvedPlatform& resolved);
/// The same, indented by two spaces, with a newline at the end.
[[nodiscard]] std::string platform_text(const ResolvedPlatform& resolved);
/// The JSON Schema (2020-12) of platform files, made from Platform::visit: configs/platform.schema.json.
[[nodiscard]] std::string platform_schema();

}  // namespace sassafras::sim
