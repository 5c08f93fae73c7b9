#include "cli/reports/result_text.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "cli/reports/report.hpp"
#include "core/json_text.hpp"

namespace sassafras::cli {

nlohmann::ordered_json result_head(std::string_view kind) {
    return {{"sassafras", version()}, {"schema_version", schema_version}, {"kind", kind}};
}

nlohmann::ordered_json json_number(double value) {
    constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53
    if (!std::isfinite(value)) return nullptr;
    if (value == std::trunc(value) && std::abs(value) <= largest_exact_integer) return static_cast<std::int64_t>(value);
    return value;
}

std::string result_text(std::string_view kind, nlohmann::ordered_json members) {
    nlohmann::ordered_json json = result_head(kind);
    for (auto& member : members.items()) json[member.key()] = std::move(member.value());
    return json_document(json);
}

}  // namespace sassafras::cli
