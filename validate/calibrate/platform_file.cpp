#include "validate/calibrate/platform_file.hpp"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "sim/platform/platform_numbers.hpp"

namespace sassafras::validate::calibrate {

namespace {

using Json = nlohmann::ordered_json;

std::string gpu_text(const GpuAttributes& attributes) {
    return attributes.driver_version.empty()
               ? attributes.name
               : fmt::format("{}, CUDA driver {}", attributes.name, attributes.driver_version);
}

/// Six digits, which is more than any of these measurements has.
std::string digits(double value) { return fmt::format("{:.6g}", value); }

/// One line, as people write it: {"value": 31, "provenance": "measured", "source": "..."}
std::string spaced(const Json& json) {
    if (!json.is_object()) return json_line(json);
    std::string text = "{";
    for (auto item = json.begin(); item != json.end(); ++item)
        text += fmt::format("{}{}: {}", item == json.begin() ? "" : ", ", json_line(item.key()), json_line(*item));
    return text + "}";
}

/// Groups on lines of their own, each number with its origin on one.
void write(const Json& json, const std::string& indent, std::string& text) {
    text += "{\n";
    for (auto item = json.begin(); item != json.end(); ++item) {
        text += fmt::format("{}  {}: ", indent, json_line(item.key()));
        if (item->is_object() && !item->contains("source"))
            write(*item, indent + "  ", text);
        else
            text += spaced(*item);
        text += std::next(item) == json.end() ? "\n" : ",\n";
    }
    text += indent + "}";
}

Json value_of(double value) {
    if (value == std::floor(value)) return static_cast<std::int64_t>(value);
    return value;
}

}  // namespace

std::string source_of(const CalibratedNumber& number, const GpuAttributes& attributes) {
    if (number.how == How::attribute) return fmt::format("{} of {}", number.said_by, gpu_text(attributes));
    if (!number.rule) return {};
    const Rule& rule = *number.rule;
    std::string text = fmt::format("sassafras calibrate, {}: {}", gpu_text(attributes), rule.row);
    if (!rule.less.empty()) text += fmt::format(" less {}", rule.less);
    text += fmt::format(" is {}", digits(number.measured.median));
    if (number.measured.least != number.measured.greatest)
        text += fmt::format(" ({} to {})", digits(number.measured.least), digits(number.measured.greatest));
    text += fmt::format(", simulated {}", digits(number.simulated));
    if (number.least != number.greatest)
        text += fmt::format("; so with {} to {}", digits(number.least), digits(number.greatest));
    return text;
}

std::string platform_file(const Calibration& calibration, const GpuAttributes& attributes, const std::string& name,
                          const std::string& base) {
    Json json = Json::object();
    json["name"] = name;
    json["base"] = base;
    json["inherited"] = {{"provenance", "assumed"},
                         {"source", fmt::format("not measured on {}; as on the {} platform, whose value has its own "
                                                "origin",
                                                attributes.name, base)}};
    for (const CalibratedNumber& number : calibration.numbers) {
        const bool known = number.how == How::attribute || number.how == How::measured;
        if (!known) continue;
        const Json::json_pointer pointer(number.pointer);
        json[pointer] = {{"value", value_of(number.value)},
                         {"provenance", number.how == How::attribute ? "datasheet" : "measured"},
                         {"source", source_of(number, attributes)}};
    }
    std::string text;
    write(json, "", text);
    return text + "\n";
}

}  // namespace sassafras::validate::calibrate
