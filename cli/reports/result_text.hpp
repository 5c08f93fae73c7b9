// What every result for programs begins with, so that who reads it knows by which contract: configs/output.schema.json.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace sassafras::cli {

/// It grows when a field goes, gets another name, type, unit or meaning; not when one is added. docs/json.md.
inline constexpr int schema_version = 1;

/// {"sassafras", "schema_version", "kind"}. `kind` is a definition of configs/output.schema.json.
[[nodiscard]] nlohmann::ordered_json result_head(std::string_view kind);

/// That and the members behind it, as json_document writes them.
[[nodiscard]] std::string result_text(std::string_view kind, nlohmann::ordered_json members);

/// Whole numbers without a fraction, null for what is not finite.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

}  // namespace sassafras::cli
