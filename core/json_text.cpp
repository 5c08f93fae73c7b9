#include "core/json_text.hpp"

#include <nlohmann/json.hpp>

namespace sassafras {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string json_document(const Json& json) { return dumped(json, 2) + "\n"; }

std::string json_line(const Json& json) { return dumped(json, -1); }

Json own_json(std::string_view text) { return Json::parse(text.begin(), text.end()); }

}  // namespace sassafras
