#include "sim/platform/platform_settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace sassafras::sim {

namespace {

using Json = nlohmann::ordered_json;

struct Setting {
    std::string pointer;  ///< "/l2/bytes"
    Json value;
};

std::optional<std::uint64_t> whole(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// 25M and 2^20, which JSON does not know.
std::optional<std::uint64_t> whole_with_unit(std::string_view text) {
    if (text.starts_with("2^")) {
        const auto exponent = whole(text.substr(2));
        if (exponent && *exponent < 63) return std::uint64_t{1} << *exponent;
        return std::nullopt;
    }
    constexpr std::string_view units = "kMG";
    const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
    if (unit == std::string_view::npos) return std::nullopt;
    const auto value = whole(text.substr(0, text.size() - 1));
    const unsigned shift = 10 * (static_cast<unsigned>(unit) + 1);
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (!value || *value > most >> shift) return std::nullopt;
    return *value << shift;
}

Json value_of(std::string_view text) {
    if (const auto value = whole_with_unit(text)) return *value;
    Json value = Json::parse(text, nullptr, false);
    constexpr double most_exact = 0x1p53;
    if (value.is_number_float())  // 25e6 is a whole number, and so it is to be written
        if (const auto number = value.get<double>(); std::abs(number) <= most_exact && std::trunc(number) == number)
            return static_cast<std::int64_t>(number);
    if (value.is_number() || value.is_array()) return value;
    return std::string(text);
}

Result<Setting> parse(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view path = text.substr(0, equals);
    if (equals == std::string_view::npos || path.find('.') == std::string_view::npos || path.front() == '.' ||
        path.back() == '.' || path.find("..") != std::string_view::npos || equals + 1 == text.size())
        return Error{ErrorKind::bad_input, "this does not set a parameter of a platform", fmt::format("--set {}", text),
                     "write GROUP.PARAMETER=VALUE, for instance l2.bytes=25M; configs/platforms has the names"};
    Setting setting{"/" + std::string(path), value_of(text.substr(equals + 1))};
    std::replace(setting.pointer.begin(), setting.pointer.end(), '.', '/');
    return setting;
}

}  // namespace

Result<std::string> normal_setting(std::string_view setting) {
    auto parsed = parse(setting);
    if (!parsed) return parsed.error();
    return fmt::format("{}={}", parsed->pointer, parsed->value.dump());
}

Result<ResolvedPlatform> load_platform(std::string_view name_or_path, std::span<const std::string> settings) {
    if (settings.empty()) return load_platform(name_or_path);
    const std::string all = fmt::format("{}", fmt::join(settings, ", "));
    Json document{{"name", all}, {"base", std::string(name_or_path)}};
    std::vector<Error> malformed;
    for (const std::string& text : settings) {
        auto setting = parse(text);
        if (!setting) malformed.push_back(setting.error());
        if (!setting) continue;
        const Json::json_pointer place(setting->pointer);
        if (document.contains(place))
            return Error{ErrorKind::bad_input, "a parameter is set twice", fmt::format("--set {}", text),
                         "set it once"};
        // A group that is there as a value, or the other way round, is no parameter.
        for (auto above = place.parent_pointer(); !above.empty(); above = above.parent_pointer())
            if (document.contains(above) && !document[above].is_object())
                return Error{ErrorKind::bad_input, "there is no such parameter", fmt::format("--set {}", text),
                             "configs/platforms has the names"};
        document[place] = std::move(setting->value);
    }
    if (malformed.size() == 1) return malformed.front();
    if (!malformed.empty()) {
        std::string lines = fmt::format("{} settings of a platform are none:", malformed.size());
        for (const Error& error : malformed) lines += "\n  " + error.where;
        return Error{ErrorKind::bad_input, std::move(lines), {}, malformed.front().remedy};
    }
    auto resolved = parse_platform(document.dump(), "--set " + all);
    if (!resolved) return resolved;
    resolved->platform.name = resolved->bases.front() + " with " + all;
    return resolved;
}

}  // namespace sassafras::sim
