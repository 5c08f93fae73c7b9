#include "validate/models/spt/instance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/json_reader.hpp"
#include "core/json_text.hpp"

namespace sassafras::validate::spt {

namespace {

constexpr double greatest = 1e15;  // no count of a machine comes near; keeps sums finite
constexpr double least = 1e-12;

std::optional<Interval> read_interval(JsonObjectReader& reader, std::string_view key, JsonFaults& faults) {
    const auto* member = reader.member(key, Presence::optional);
    if (member == nullptr) return std::nullopt;
    const std::string pointer = json_pointer(reader.pointer(), key);
    if (!member->is_array() || member->size() != 2) {
        faults.add(pointer, "is not a list of two numbers, the least and the greatest");
        return std::nullopt;
    }
    const auto low = read_json_number((*member)[0], 0, greatest, pointer + "/0", faults);
    const auto high = read_json_number((*member)[1], 0, greatest, pointer + "/1", faults);
    if (!low || !high) return std::nullopt;
    if (*low > *high) {
        faults.add(pointer, "has its greatest value first");
        return std::nullopt;
    }
    return Interval{*low, *high};
}

/// Names stand in tables: a line break or another control character would tear them apart.
std::string line_of_text(JsonObjectReader& reader, std::string_view key, JsonFaults& faults) {
    std::string text = reader.text(key, Presence::required).value_or("");
    constexpr unsigned char first_printable = 0x20;
    constexpr unsigned char delete_character = 0x7f;
    const bool torn = std::any_of(text.begin(), text.end(), [](char letter) {
        const auto code = static_cast<unsigned char>(letter);
        return code < first_printable || code == delete_character;
    });
    if (torn) faults.add(json_pointer(reader.pointer(), key), "has a line break or another control character in it");
    return text;
}

Operation read_operation(const nlohmann::ordered_json& json, const std::string& pointer, JsonFaults& faults) {
    JsonObjectReader reader(json, pointer, faults);
    Operation operation;
    operation.symbol = line_of_text(reader, "symbol", faults);
    operation.name = line_of_text(reader, "name", faults);
    operation.latency_cycles = reader.number("latency_cycles", 0, greatest, Presence::required).value_or(0);
    if (reader.has("bandwidth_per_core_and_cycle"))
        operation.bandwidth =
            reader.number("bandwidth_per_core_and_cycle", least, greatest, Presence::optional).value_or(1);
    else
        operation.bandwidth = std::numeric_limits<double>::infinity();
    operation.hidden_by_ilp = reader.boolean("hidden_by_ilp", Presence::required).value_or(true);
    operation.latency_interval = read_interval(reader, "latency_interval_cycles", faults);
    operation.bandwidth_interval = read_interval(reader, "bandwidth_interval", faults);
    reader.finish();
    if (operation.symbol.empty() && reader.has("symbol")) faults.add(pointer + "/symbol", "is empty");
    return operation;
}

void read_operations(JsonObjectReader& reader, Instance& instance, JsonFaults& faults) {
    const auto* list = reader.member("operations", Presence::required);
    if (list == nullptr) return;
    if (!list->is_array() || list->empty()) {
        faults.add("/operations", "is not a list of one operation or more");
        return;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string pointer = "/operations/" + std::to_string(i);
        Operation operation = read_operation((*list)[i], pointer, faults);
        if (instance.find(operation.symbol) != nullptr)
            faults.add(pointer + "/symbol", "names an operation a second time: " + operation.symbol);
        instance.operations.push_back(std::move(operation));
    }
}

nlohmann::ordered_json interval_json(const Interval& interval) {
    return nlohmann::ordered_json::array({interval.least, interval.most});
}

nlohmann::ordered_json operation_json(const Operation& operation) {
    nlohmann::ordered_json json{
        {"symbol", operation.symbol}, {"name", operation.name}, {"latency_cycles", operation.latency_cycles}};
    if (std::isfinite(operation.bandwidth)) json["bandwidth_per_core_and_cycle"] = operation.bandwidth;
    json["hidden_by_ilp"] = operation.hidden_by_ilp;
    if (operation.latency_interval) json["latency_interval_cycles"] = interval_json(*operation.latency_interval);
    if (operation.bandwidth_interval) json["bandwidth_interval"] = interval_json(*operation.bandwidth_interval);
    return json;
}

}  // namespace

const Operation* Instance::find(std::string_view symbol) const {
    const auto found = std::find_if(operations.begin(), operations.end(),
                                    [&](const Operation& operation) { return operation.symbol == symbol; });
    return found == operations.end() ? nullptr : &*found;
}

Result<Instance> parse_instance(std::string_view text, std::string_view origin) {
    JsonFaults faults{std::string(origin)};
    const auto json = parse_json(text, faults);
    if (!json) return faults.error();
    JsonObjectReader reader(*json, "", faults);
    Instance instance;
    instance.name = line_of_text(reader, "name", faults);
    instance.description = reader.text("description", Presence::optional).value_or("");
    instance.provenance = reader.text("provenance", Presence::required).value_or("");
    const auto number = [&](std::string_view key, double low) {
        return reader.number(key, low, greatest, Presence::required).value_or(1);
    };
    const auto whole = [&](std::string_view key) {
        const double value = number(key, 1);
        if (value != std::floor(value)) faults.add(json_pointer("", key), "is not a whole number");
        return value;
    };
    instance.cores = whole("cores");
    instance.warp_lanes = whole("warp_lanes");
    instance.shared_words = whole("shared_words");
    instance.register_words = whole("register_words");
    instance.threads_per_core = number("threads_per_core", least);
    instance.multiprocessors = whole("multiprocessors");
    instance.clock_mhz = number("clock_mhz", least);
    instance.sync_cycles = number("sync_cycles", 0);
    instance.sync_interval = read_interval(reader, "sync_interval_cycles", faults);
    read_operations(reader, instance, faults);
    reader.finish();
    if (!faults.empty()) return faults.error();
    return instance;
}

std::string instance_json(const Instance& instance) {
    nlohmann::ordered_json json{{"name", instance.name},
                                {"description", instance.description},
                                {"provenance", instance.provenance},
                                {"cores", instance.cores},
                                {"warp_lanes", instance.warp_lanes},
                                {"shared_words", instance.shared_words},
                                {"register_words", instance.register_words},
                                {"threads_per_core", instance.threads_per_core},
                                {"multiprocessors", instance.multiprocessors},
                                {"clock_mhz", instance.clock_mhz},
                                {"sync_cycles", instance.sync_cycles}};
    if (instance.sync_interval) json["sync_interval_cycles"] = interval_json(*instance.sync_interval);
    json["operations"] = nlohmann::ordered_json::array();
    for (const Operation& operation : instance.operations) json["operations"].push_back(operation_json(operation));
    return json_document(json);
}

}  // namespace sassafras::validate::spt
