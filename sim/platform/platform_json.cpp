#include "sim/platform/platform_json.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/json_reader.hpp"
#include "core/json_text.hpp"

namespace sassafras::sim {

namespace {

using Json = nlohmann::ordered_json;

/// One {"value", "provenance", "source"} entry a parameter, nested like the groups.
class WriteVisitor {
  public:
    WriteVisitor(std::string prefix, const std::vector<ParameterOrigin>& origins, Json& object)
        : prefix_(std::move(prefix)), origins_(&origins), object_(&object) {}

    template <class Group>
    void group(std::string_view key, const Group& parameters) {
        Json inner_object = Json::object();
        WriteVisitor inner(json_pointer(prefix_, key), *origins_, inner_object);
        Group::visit(parameters, inner);
        (*object_)[std::string(key)] = std::move(inner_object);
    }
    void integer(std::string_view key, std::uint32_t value, std::uint32_t /*low*/, std::uint32_t /*high*/,
                 std::string_view /*meaning*/) {
        write(key, value);
    }
    void integers(std::string_view key, const std::vector<std::uint32_t>& values, std::uint32_t /*low*/,
                  std::uint32_t /*high*/, std::string_view /*meaning*/) {
        write(key, values);
    }
    void number(std::string_view key, double value, double /*low*/, double /*high*/, std::string_view /*meaning*/) {
        write(key, value);
    }
    template <class Enum>
    void choice(std::string_view key, const Enum& value,
                std::initializer_list<std::pair<std::string_view, std::type_identity_t<Enum>>> choices,
                std::string_view /*meaning*/) {
        for (const auto& [name, candidate] : choices)
            if (candidate == value) write(key, std::string(name));
    }

  private:
    void write(std::string_view key, Json value) {
        const std::string pointer = json_pointer(prefix_, key);
        const auto origin = std::find_if(origins_->begin(), origins_->end(),
                                         [&](const auto& other) { return other.pointer == pointer; });
        require_invariant(origin != origins_->end(), "a parameter of a resolved platform has no origin");
        Json entry = Json::object();
        entry["value"] = std::move(value);
        entry["provenance"] = std::string(to_string(origin->provenance));
        entry["source"] = origin->source;
        (*object_)[std::string(key)] = std::move(entry);
    }

    std::string prefix_;
    const std::vector<ParameterOrigin>* origins_;
    Json* object_;
};

}  // namespace

Json platform_json(const ResolvedPlatform& resolved) {
    Json json = Json::object();
    json["name"] = resolved.platform.name;
    WriteVisitor visitor("", resolved.parameters, json);
    Platform::visit_machine(resolved.platform, visitor);
    return json;
}

std::string platform_text(const ResolvedPlatform& resolved) {
    Json json = Json::object();
    json["name"] = resolved.platform.name;
    WriteVisitor visitor("", resolved.parameters, json);
    Platform::visit(resolved.platform, visitor);
    return json_document(json);
}

}  // namespace sassafras::sim
