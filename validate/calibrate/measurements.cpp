#include "validate/calibrate/measurements.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_reader.hpp"
#include "core/json_text.hpp"

namespace sassafras::validate::calibrate {

namespace {

using Json = nlohmann::ordered_json;

constexpr double largest = 1e15;  ///< no row and no attribute is near it, and sums of such numbers stay finite
constexpr int most_of_capability = 99;

void read_gpu(const Json& value, Measurements& measurements, JsonFaults& faults) {
    JsonObjectReader reader(value, "/gpu", faults);
    measurements.attributes.name = reader.text("name", Presence::required).value_or("");
    measurements.attributes.driver_version = reader.text("driver", Presence::required).value_or("");
    const auto part = [&](std::string_view key) {
        return static_cast<std::uint32_t>(reader.integer(key, 0, most_of_capability, Presence::required).value_or(0));
    };
    measurements.capability = {part("major"), part("minor")};
    measurements.platform = reader.text("platform", Presence::optional).value_or("");
    reader.finish();
    if (reader.is_object() && measurements.attributes.name.empty()) faults.add("/gpu/name", "empty");
}

void read_attributes(const Json& value, Measurements& measurements, JsonFaults& faults) {
    if (!value.is_object()) return faults.add("/attributes", "expected an object");
    for (auto item = value.begin(); item != value.end(); ++item) {
        JsonObjectReader reader(*item, json_pointer("/attributes", item.key()), faults);
        const auto number = reader.number("value", -largest, largest, Presence::required);
        auto said_by = reader.text("said_by", Presence::required);
        reader.finish();
        if (number && said_by) measurements.attributes.values.push_back({item.key(), *number, std::move(*said_by)});
    }
}

void read_rows(const Json& value, Measurements& measurements, JsonFaults& faults) {
    if (!value.is_object()) return faults.add("/rows", "expected an object");
    for (auto item = value.begin(); item != value.end(); ++item) {
        const std::string pointer = json_pointer("/rows", item.key());
        if (!item->is_array() || item->empty()) {
            faults.add(pointer, "expected a list of numbers");
            continue;
        }
        std::vector<double>& values = measurements.rows[item.key()];
        for (std::size_t i = 0; i < item->size(); ++i)
            if (const auto one =
                    read_json_number((*item)[i], -largest, largest, json_pointer(pointer, std::to_string(i)), faults))
                values.push_back(*one);
    }
}

}  // namespace

bool has_row(const Rule& rule, isa::ComputeCapability capability) {
    constexpr int minors = 10;
    return rule.from_capability <= static_cast<int>(capability.major * minors + capability.minor);
}

std::vector<std::string> rows_of(const Rule& rule) {
    std::vector<std::string> rows{std::string(rule.row)};
    if (!rule.less.empty()) rows.emplace_back(rule.less);
    return rows;
}

Result<void> measure(Measurements& measurements, const std::vector<Rule>& rules, std::uint32_t repetitions,
                     const MeasureRows& measure_rows, const std::function<void(const std::string&)>& progress) {
    for (const Rule& rule : rules) {
        if (!has_row(rule, measurements.capability)) continue;
        const std::vector<std::string> rows = rows_of(rule);
        const bool known = std::all_of(rows.begin(), rows.end(),
                                       [&](const std::string& row) { return measurements.rows.contains(row); });
        if (known) continue;
        if (progress) progress("measuring " + rows.front());
        for (const std::string& row : rows) measurements.rows[row].clear();
        for (std::uint32_t i = 0; i < repetitions; ++i) {
            const auto values = measure_rows(rows);
            if (!values) return values.error();
            require_invariant(values->size() == rows.size(), "a row was asked for and not measured");
            for (std::size_t row = 0; row < rows.size(); ++row) measurements.rows[rows[row]].push_back((*values)[row]);
        }
    }
    return {};
}

std::string measurements_json(const Measurements& measurements) {
    Json attributes = Json::object();
    for (const GpuAttribute& attribute : measurements.attributes.values)
        attributes[attribute.pointer] = {{"value", attribute.value}, {"said_by", attribute.said_by}};
    Json rows = Json::object();
    for (const auto& [row, values] : measurements.rows) rows[row] = values;
    Json json{{"gpu",
               {{"name", measurements.attributes.name},
                {"driver", measurements.attributes.driver_version},
                {"major", measurements.capability.major},
                {"minor", measurements.capability.minor}}},
              {"attributes", std::move(attributes)},
              {"rows", std::move(rows)}};
    if (!measurements.platform.empty()) json["gpu"]["platform"] = measurements.platform;
    return json_document(json);
}

Result<Measurements> read_measurements(std::string_view text, std::string_view origin) {
    JsonFaults faults{std::string(origin)};
    Measurements measurements;
    if (const std::optional<Json> json = parse_json(text, faults)) {
        JsonObjectReader reader(*json, "", faults);
        if (const Json* gpu = reader.member("gpu", Presence::required)) read_gpu(*gpu, measurements, faults);
        if (const Json* said = reader.member("attributes", Presence::required))
            read_attributes(*said, measurements, faults);
        if (const Json* rows = reader.member("rows", Presence::required)) read_rows(*rows, measurements, faults);
        reader.finish();
    }
    if (!faults.empty()) return faults.error();
    return measurements;
}

}  // namespace sassafras::validate::calibrate
