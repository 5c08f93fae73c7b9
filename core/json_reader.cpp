#include "core/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/json_text.hpp"
#include "core/spelling.hpp"

namespace sassafras {

namespace {

using Json = nlohmann::ordered_json;

/// What a value is, short enough for an error message.
std::string describe(const Json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "an array";
    std::string text = json_line(value);
    constexpr std::size_t longest = 40;
    if (text.size() > longest) text = text.substr(0, longest) + "...";
    return text;
}

}  // namespace

bool JsonFaults::touches(std::string_view pointer) const {
    const auto within = [](std::string_view inner, std::string_view outer) {
        return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
    };
    return std::any_of(faults_.begin(), faults_.end(), [&](const JsonFault& fault) {
        return within(fault.pointer, pointer) || within(pointer, fault.pointer);
    });
}

Error JsonFaults::error() const {
    require_invariant(!faults_.empty(), "an error was made of no JSON faults");
    const auto place = [](const JsonFault& fault) {
        return fault.pointer.empty() ? fault.origin : fmt::format("{}#{}", fault.origin, fault.pointer);
    };
    if (faults_.size() == 1) return {ErrorKind::bad_input, faults_[0].what, place(faults_[0]), ""};
    std::string lines = fmt::format("{} faults in {}:", faults_.size() + not_kept_, origin_);
    for (const JsonFault& fault : faults_) lines += fmt::format("\n  {}: {}", place(fault), fault.what);
    if (not_kept_ != 0) lines += fmt::format("\n  and {} more", not_kept_);
    return {ErrorKind::bad_input, std::move(lines), "", ""};
}

std::string json_pointer(std::string_view parent, std::string_view key) {
    std::string pointer(parent);
    pointer += '/';
    for (const char c : key) {
        if (c == '~')
            pointer += "~0";
        else if (c == '/')
            pointer += "~1";
        else
            pointer += c;
    }
    return pointer;
}

JsonObjectReader::JsonObjectReader(const Json& value, std::string pointer, JsonFaults& faults)
    : value_(value.is_object() ? &value : nullptr), pointer_(std::move(pointer)), faults_(&faults) {
    if (value_ == nullptr) faults_->add(pointer_, fmt::format("expected an object, got {}", describe(value)));
}

bool JsonObjectReader::has(std::string_view key) const { return value_ != nullptr && value_->contains(key); }

const Json* JsonObjectReader::member(std::string_view key, Presence presence) {
    known_.emplace_back(key);
    if (value_ == nullptr) return nullptr;
    const auto found = value_->find(key);
    if (found != value_->end()) return &*found;
    if (presence == Presence::required) faults_->add(json_pointer(pointer_, key), "missing");
    return nullptr;
}

std::optional<std::int64_t> JsonObjectReader::integer(std::string_view key, std::int64_t low, std::int64_t high,
                                                      Presence presence) {
    const Json* value = member(key, presence);
    if (value == nullptr) return std::nullopt;
    return read_json_integer(*value, low, high, json_pointer(pointer_, key), *faults_);
}

std::optional<double> JsonObjectReader::number(std::string_view key, double low, double high, Presence presence) {
    const Json* value = member(key, presence);
    if (value == nullptr) return std::nullopt;
    return read_json_number(*value, low, high, json_pointer(pointer_, key), *faults_);
}

std::optional<bool> JsonObjectReader::boolean(std::string_view key, Presence presence) {
    const Json* value = member(key, presence);
    if (value == nullptr) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    faults_->add(json_pointer(pointer_, key), fmt::format("expected true or false, got {}", describe(*value)));
    return std::nullopt;
}

std::optional<std::string> JsonObjectReader::text(std::string_view key, Presence presence) {
    const Json* value = member(key, presence);
    if (value == nullptr) return std::nullopt;
    return read_json_text(*value, json_pointer(pointer_, key), *faults_);
}

std::optional<std::size_t> JsonObjectReader::choice(std::string_view key, std::span<const std::string_view> names,
                                                    Presence presence) {
    const Json* value = member(key, presence);
    if (value == nullptr) return std::nullopt;
    return read_json_choice(*value, names, json_pointer(pointer_, key), *faults_);
}

void JsonObjectReader::finish() {
    if (value_ == nullptr) return;
    for (const auto& [key, value] : value_->items()) {
        if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
        std::string what = "unknown key";
        if (const std::optional<Suggestion> meant = suggest(key, known_)) {
            what += fmt::format("; did you mean \"{}\"?", meant->name);
            if (meant->unit_differs) what += " (the unit is part of the name)";
        } else {
            what += "; " + name_one_of(key, known_);
        }
        faults_->add(json_pointer(pointer_, key), std::move(what));
    }
}

std::optional<std::int64_t> read_json_integer(const Json& value, std::int64_t low, std::int64_t high,
                                              const std::string& pointer, JsonFaults& faults) {
    if (!value.is_number_integer()) {  // true for signed and unsigned, false for 4.9, 4.0 and true
        faults.add(pointer, fmt::format("expected an integer from {} to {}, got {}", low, high, describe(value)));
        return std::nullopt;
    }
    const bool too_large =
        value.is_number_unsigned() &&
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (too_large || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
        faults.add(pointer, fmt::format("{} is out of range: {} to {}", describe(value), low, high));
        return std::nullopt;
    }
    return value.get<std::int64_t>();
}

std::optional<double> read_json_number(const Json& value, double low, double high, const std::string& pointer,
                                       JsonFaults& faults) {
    if (!value.is_number()) {
        faults.add(pointer, fmt::format("expected a number from {} to {}, got {}", low, high, describe(value)));
        return std::nullopt;
    }
    const auto number = value.get<double>();
    if (!(number >= low && number <= high)) {
        faults.add(pointer, fmt::format("{} is out of range: {} to {}", describe(value), low, high));
        return std::nullopt;
    }
    return number;
}

std::optional<std::string> read_json_text(const Json& value, const std::string& pointer, JsonFaults& faults) {
    if (!value.is_string()) {
        faults.add(pointer, fmt::format("expected text, got {}", describe(value)));
        return std::nullopt;
    }
    return value.get<std::string>();
}

std::optional<std::size_t> read_json_choice(const Json& value, std::span<const std::string_view> names,
                                            const std::string& pointer, JsonFaults& faults) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        const auto found = std::find(names.begin(), names.end(), text);
        if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    }
    faults.add(pointer, fmt::format("expected one of \"{}\", got {}", fmt::join(names, "\", \""), describe(value)));
    return std::nullopt;
}

}  // namespace sassafras
