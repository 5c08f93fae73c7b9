#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/json_reader.hpp"
#include "core/json_text.hpp"
#include "sim/platform/platform_json.hpp"

namespace sassafras::sim {

namespace {

using Json = nlohmann::ordered_json;

/// Schema of one level: of whole platforms (every key, with its origin) and of derived ones (any key, plain values
/// too).
class SchemaVisitor {
  public:
    SchemaVisitor(std::string whole_reference, Json& whole, Json& derived)
        : whole_reference_(std::move(whole_reference)), whole_(&whole), derived_(&derived) {}

    template <class Group>
    void group(std::string_view key, const Group& parameters) {
        Json whole = empty_object();
        Json derived = empty_object();
        SchemaVisitor inner(reference(key), whole, derived);
        Group::visit(parameters, inner);
        add_inherited(derived);
        add(key, std::move(whole), std::move(derived));
    }
    void integer(std::string_view key, std::uint32_t /*value*/, std::uint32_t low, std::uint32_t high,
                 std::string_view meaning) {
        add_parameter(key, Json{{"type", "integer"}, {"minimum", low}, {"maximum", high}}, meaning);
    }
    void integers(std::string_view key, const std::vector<std::uint32_t>& /*values*/, std::uint32_t low,
                  std::uint32_t high, std::string_view meaning) {
        const Json item{{"type", "integer"}, {"minimum", low}, {"maximum", high}};
        add_parameter(key, Json{{"type", "array"}, {"minItems", 1}, {"items", item}}, meaning);
    }
    void number(std::string_view key, double /*value*/, double low, double high, std::string_view meaning) {
        add_parameter(key, Json{{"type", "number"}, {"minimum", low}, {"maximum", high}}, meaning);
    }
    template <class Enum>
    void choice(std::string_view key, const Enum& /*value*/,
                std::initializer_list<std::pair<std::string_view, std::type_identity_t<Enum>>> choices,
                std::string_view meaning) {
        Json names = Json::array();
        for (const auto& [name, value] : choices) names.push_back(std::string(name));
        Json value = Json::object();
        value["enum"] = std::move(names);
        add_parameter(key, std::move(value), meaning);
    }

    static void add_inherited(Json& derived) { derived["properties"]["inherited"]["$ref"] = "#/$defs/origin"; }

    static Json empty_object() {
        Json object = Json::object();
        object["type"] = "object";
        object["additionalProperties"] = false;
        object["properties"] = Json::object();
        return object;
    }

  private:
    [[nodiscard]] std::string reference(std::string_view key) const {
        return whole_reference_ + json_pointer("/properties", key);
    }

    void add_parameter(std::string_view key, Json value, std::string_view meaning) {
        Json entry = empty_object();
        entry["description"] = std::string(meaning);
        entry["required"] = {"value", "provenance", "source"};
        entry["properties"]["value"] = std::move(value);
        entry["properties"]["provenance"]["$ref"] = "#/$defs/provenance";
        entry["properties"]["source"]["$ref"] = "#/$defs/source";
        Json either = Json::object();
        either["anyOf"] = Json::array({Json{{"$ref", reference(key) + "/properties/value"}},
                                       Json{{"$ref", reference(key)}}, Json{{"$ref", "#/$defs/origin"}}});
        add(key, std::move(entry), std::move(either));
    }

    void add(std::string_view key, Json whole, Json derived) {
        (*whole_)["properties"][std::string(key)] = std::move(whole);
        (*whole_)["required"].push_back(std::string(key));
        (*derived_)["properties"][std::string(key)] = std::move(derived);
    }

    std::string whole_reference_;
    Json* whole_;
    Json* derived_;
};

void add_text(Json& object, const std::string& key, const std::string& description, bool required) {
    object["properties"][key] = Json{{"type", "string"}, {"description", description}};
    if (required) object["required"].push_back(key);
}

}  // namespace

std::string platform_schema() {
    Json whole = SchemaVisitor::empty_object();
    Json derived = SchemaVisitor::empty_object();
    for (Json* object : {&whole, &derived}) {
        add_text(*object, "$schema", "for editors", false);
        add_text(*object, "name", "name of the platform in results", true);
        add_text(*object, "description", "for people", false);
    }
    add_text(derived, "base",
             "a built-in platform, or a .json file beside this one, that gives every number not given here", true);
    SchemaVisitor::add_inherited(derived);
    SchemaVisitor visitor("#/$defs/whole", whole, derived);
    const Platform any;
    Platform::visit(any, visitor);

    Json schema = Json::object();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "Sassafras platform";
    schema["description"] = "Every number of a modelled GPU. Made from Platform::visit in sim/platform/platform.hpp.";
    schema["if"]["required"] = Json::array({"base"});
    schema["then"]["$ref"] = "#/$defs/derived";
    schema["else"]["$ref"] = "#/$defs/whole";
    schema["$defs"]["provenance"]["enum"] = {"datasheet", "measured", "fitted", "assumed", "unused"};
    schema["$defs"]["source"] = Json{{"type", "string"}, {"minLength", 1}};
    Json origin = SchemaVisitor::empty_object();
    origin["description"] = "Where values that the base gives come from.";
    origin["required"] = {"provenance", "source"};
    origin["properties"]["provenance"]["$ref"] = "#/$defs/provenance";
    origin["properties"]["source"]["$ref"] = "#/$defs/source";
    schema["$defs"]["origin"] = std::move(origin);
    schema["$defs"]["whole"] = std::move(whole);
    schema["$defs"]["derived"] = std::move(derived);
    return json_document(schema);
}

}  // namespace sassafras::sim
