#include "study/sweep/description.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_reader.hpp"
#include "core/value_series.hpp"
#include "sim/platform/platform_settings.hpp"
#include "study/sweep/launch_parts.hpp"
#include "study/sweep/table.hpp"

namespace sassafras::study::sweep {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view sobol_prefix = "sobol:";
constexpr std::uint64_t most_samples = 1'000'000;
constexpr std::int64_t most_parts = 100'000;

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// Text by commas, of which a range of numbers is many.
Result<std::vector<std::string>> values_of(std::string_view text, const std::string& where) {
    std::vector<std::string> values;
    for (std::string_view left = text;;) {
        const std::size_t comma = left.find(',');
        const std::string_view item = left.substr(0, comma);
        if (item.empty())
            return Error{ErrorKind::bad_input, "a value is missing", where,
                         "give values separated by commas, or a range such as 2^10..2^20:x4"};
        const bool is_range = item.find("..") != std::string_view::npos && item.find('/') == std::string_view::npos;
        if (is_range || item.starts_with("2^") || item.starts_with("10^")) {
            auto series = parse_series(item, where);
            if (!series) return series.error();
            for (const std::uint64_t value : *series) values.push_back(std::to_string(value));
        } else {
            values.emplace_back(item);
        }
        if (comma == std::string_view::npos) return values;
        left = left.substr(comma + 1);
    }
}

/// A number of a platform as JSON has it, so that a table has numbers: 25M is 26214400.
void write_numbers_out(Axis& axis) {
    if (axis.kind != Axis::Kind::setting) return;
    for (std::string& value : axis.values) {
        const auto normal = sim::normal_setting(fmt::format("{}={}", axis.name, value));
        if (!normal) continue;
        const std::string written = normal->substr(normal->find('=') + 1);
        if (written.front() != '"') value = written;
    }
}

std::optional<std::vector<std::string>> read_words(const Json& value, const std::string& pointer, JsonFaults& faults) {
    std::vector<std::string> words;
    if (value.is_string()) words = words_of(value.get<std::string>());
    if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i)
            if (auto word = read_json_text(value[i], json_pointer(pointer, std::to_string(i)), faults))
                words.push_back(std::move(*word));
    if (!words.empty()) return words;
    faults.add(pointer, "expected a command of sassafras, as \"run sort\" or [\"run\", \"sort\"]");
    return std::nullopt;
}

std::string scalar_text(const Json& value) {
    constexpr double most_exact = 0x1p53;
    if (value.is_number_float())  // 3e3 is 3000, not 3000.0, which no option takes for a whole number
        if (const auto number = value.get<double>(); std::abs(number) <= most_exact && std::trunc(number) == number)
            return fmt::format("{}", static_cast<std::int64_t>(number));
    return value.is_string() ? value.get<std::string>() : value.is_boolean() || value.is_number() ? value.dump() : "";
}

void read_axes(JsonObjectReader& reader, std::string_view key, Axis::Kind kind, std::vector<Axis>& axes,
               JsonFaults& faults) {
    const Json* const member = reader.member(key, Presence::optional);
    if (member == nullptr) return;
    const std::string pointer = json_pointer(reader.pointer(), key);
    if (!member->is_object()) return faults.add(pointer, "expected an object: a name and its values each");
    for (const auto& [name, value] : member->items()) {
        Axis axis{name, kind, {}};
        const std::string place = json_pointer(pointer, name);
        if (value.is_array()) {
            for (const Json& item : value) axis.values.push_back(scalar_text(item));
        } else if (auto values = values_of(scalar_text(value), place)) {
            axis.values = std::move(*values);
        } else {
            faults.add(place, values.error().what + "; " + values.error().remedy);
        }
        if (std::any_of(axis.values.begin(), axis.values.end(), [](const auto& text) { return text.empty(); }))
            faults.add(place, "expected text or numbers");
        write_numbers_out(axis);
        axes.push_back(std::move(axis));
    }
}

/// JSON, which keeps the study and its results, has no other text.
bool is_utf8(const std::string& text) {
    constexpr std::string_view quote = "\"";
    std::string quoted(quote);
    for (const char one : text)
        quoted += one == '"' || one == '\\' || static_cast<unsigned char>(one) < ' ' ? ' ' : one;
    return Json::accept(quoted.append(quote));
}

Result<void> check_text(const Description& description) {
    const auto bad = [](std::string_view what, const std::string& text) {
        std::string shown;
        for (const char one : text)
            shown += static_cast<unsigned char>(one) < 0x80 ? std::string(1, one)
                                                            : fmt::format("\\x{:02x}", static_cast<unsigned char>(one));
        return Error{ErrorKind::bad_input, fmt::format("{} is no UTF-8", what), shown,
                     "write it in UTF-8; a file of another name can be given another one by a link"};
    };
    for (const auto& command : description.commands)
        for (const std::string& word : command)
            if (!is_utf8(word)) return bad("a word of the command", word);
    for (const Axis& axis : description.axes) {
        if (!is_utf8(axis.name)) return bad("a name", axis.name);
        for (const std::string& value : axis.values)
            if (!is_utf8(value)) return bad("a value", axis.name + "=" + value);
    }
    return {};
}

/// The same run twice would be one result in two rows, which whoever counts rows takes for two measurements.
Result<void> check_repetition(const Description& description) {
    const auto bad = [](const std::string& where, const std::string& what) {
        return Error{ErrorKind::bad_input, what, where,
                     "give each once; a run has the same result however often it is made"};
    };
    const auto& axes = description.axes;
    if (description.design != Design::list) {
        for (const Axis& axis : axes) {
            std::set<std::string> seen;
            for (const std::string& value : axis.values)
                if (!seen.insert(value).second)
                    return bad(axis.name, fmt::format("the value {} is there twice", value));
        }
    } else if (!axes.empty()) {
        std::set<std::vector<std::string>> seen;
        for (std::size_t i = 0; i < axes.front().values.size(); ++i) {
            std::vector<std::string> side_by_side;
            for (const Axis& axis : axes) side_by_side.push_back(axis.values[i]);
            if (!seen.insert(side_by_side).second)
                return bad(axes.front().name, fmt::format("the values at place {} of the list are there twice", i + 1));
        }
    }
    return {};
}

/// What a study cannot be of, and what its command says that the study says, too.
Result<void> check_commands(const Description& description) {
    const auto bad = [](std::string_view what, const std::string& where, std::string_view remedy) {
        return Error{ErrorKind::bad_input, what, where, remedy};
    };
    for (const Axis& axis : description.axes)
        if (axis.name == "minutes")
            return bad("what a search finds in some minutes is another result each time", axis.name,
                       "vary evaluations");
    for (const auto& command : description.commands) {
        if (!command.empty() && command.front() == "sweep")
            return bad("a study is no run", "sweep", "give the command that the study is to make: run sort");
        for (std::size_t i = 0; i < command.size() && command[i] != "--"; ++i) {
            if (command[i] == "--minutes" || command[i].starts_with("--minutes="))
                return bad("what a search finds in some minutes is another result each time", command[i],
                           "limit it by --evaluations");
            std::string setting;
            if (command[i] == "--set" && i + 1 < command.size()) setting = command[i + 1];
            if (command[i].starts_with("--set=")) setting = command[i].substr(std::string_view("--set=").size());
            for (const Axis& axis : description.axes)
                if (axis.kind == Axis::Kind::setting && setting.starts_with(axis.name + "="))
                    return bad("the study varies it, and its command sets it", "--set " + setting,
                               "leave it out of one of them");
        }
    }
    return {};
}

std::string design_text(const Description& description) {
    switch (description.design) {
        case Design::product: return "product";
        case Design::list: return "list";
        case Design::sobol: return fmt::format("{}{}", sobol_prefix, description.samples);
    }
    return "";
}

}  // namespace

bool is_factor(const Axis& axis) {
    const auto is_amount = [](const std::string& text) {
        double value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        return code == std::errc() && end == text.data() + text.size() && value > 0;
    };
    return axis.name != "seed" && axis.values.size() > 1 &&
           std::all_of(axis.values.begin(), axis.values.end(), is_amount);
}

Result<Axis> parse_axis(std::string_view text, Axis::Kind kind, const std::string& option) {
    const std::size_t equals = text.find('=');
    const std::string where = fmt::format("{} {}", option, text);
    if (equals == std::string_view::npos || equals == 0)
        return Error{ErrorKind::bad_input, "this names no values", where,
                     kind == Axis::Kind::setting ? "write GROUP.PARAMETER=VALUES, as l2.bytes=25M,50M"
                                                 : "write NAME=VALUES, as n=2^16..2^20"};
    auto values = values_of(text.substr(equals + 1), where);
    if (!values) return values.error();
    Axis axis{std::string(text.substr(0, equals)), kind, std::move(*values)};
    write_numbers_out(axis);
    return axis;
}

Result<void> parse_design(std::string_view text, Description& description) {
    description.samples = 0;
    if (text == "product" || text == "list") {
        description.design = text == "list" ? Design::list : Design::product;
        return {};
    }
    if (text.starts_with(sobol_prefix)) {
        const std::string_view count = text.substr(sobol_prefix.size());
        const auto [end, code] = std::from_chars(count.data(), count.data() + count.size(), description.samples);
        if (code == std::errc() && end == count.data() + count.size() && description.samples != 0 &&
            description.samples <= most_samples) {
            description.design = Design::sobol;
            return {};
        }
    }
    return Error{ErrorKind::bad_input, "there is no such design", std::string(text),
                 "product: all combinations; list: the axes side by side; sobol:64: 64 of the product, evenly spread"};
}

Result<Description> parse_description(std::string_view text, std::string_view origin) {
    JsonFaults faults{std::string(origin)};
    const auto json = parse_json(text, faults);
    if (!json) return faults.error();
    JsonObjectReader reader(*json, "", faults);
    if (!reader.is_object()) return faults.error();
    Description description;
    (void)reader.text("$schema", Presence::optional);
    if (const Json* command = reader.member("command", Presence::optional))
        if (auto words = read_words(*command, "/command", faults)) description.commands.push_back(std::move(*words));
    if (const Json* commands = reader.member("commands", Presence::optional)) {
        if (!commands->is_array()) faults.add("/commands", "expected a list of commands");
        for (std::size_t i = 0; commands->is_array() && i < commands->size(); ++i)
            if (auto words = read_words((*commands)[i], json_pointer("/commands", std::to_string(i)), faults))
                description.commands.push_back(std::move(*words));
    }
    read_axes(reader, "vary", Axis::Kind::option, description.axes, faults);
    read_axes(reader, "set", Axis::Kind::setting, description.axes, faults);
    if (const auto design = reader.text("design", Presence::optional))
        if (auto parsed = parse_design(*design, description); !parsed)
            faults.add("/design", parsed.error().what + "; " + parsed.error().remedy);
    if (const auto seed = reader.integer("seed", 0, std::int64_t{1} << 32U, Presence::optional))
        description.seed = static_cast<std::uint64_t>(*seed);
    if (const auto parts = reader.integer("split_launches", 1, most_parts, Presence::optional))
        description.split_launches = static_cast<std::uint64_t>(*parts);
    if (auto directory = reader.text("directory", Presence::optional)) description.directory = std::move(*directory);
    reader.finish();
    if (!faults.empty()) return faults.error();
    if (auto checked = check(description); !checked) {
        Error error = checked.error();
        error.where = std::string(origin) + (error.where.empty() ? "" : ": " + error.where);
        return error;
    }
    return description;
}

std::string description_text(const Description& description) {
    Json json{{"commands", description.commands}};
    for (const Axis& axis : description.axes)
        json[axis.kind == Axis::Kind::option ? "vary" : "set"][axis.name] = axis.values;
    json["design"] = design_text(description);
    json["seed"] = description.seed;
    if (description.split_launches != 1) json["split_launches"] = description.split_launches;
    if (!description.directory.empty()) json["directory"] = description.directory;
    return json.dump(2) + "\n";
}

Result<void> check(const Description& description) {
    const auto bad = [](std::string_view what, std::string_view where, std::string_view remedy) {
        return Error{ErrorKind::bad_input, what, where, remedy};
    };
    if (description.commands.empty())
        return bad("the study has no command", "", "give one, as \"command\" or behind --: -- run sort");
    if (auto checked = check_text(description); !checked) return checked;
    if (auto checked = check_commands(description); !checked) return checked;
    if (description.split_launches != 1)
        for (const auto& command : description.commands)
            if (auto checked = check_splits(command); !checked) return checked;
    for (std::size_t i = 0; i < description.axes.size(); ++i) {
        const Axis& axis = description.axes[i];
        if (axis.values.empty()) return bad("nothing to vary", axis.name, "give it a value");
        for (const std::string_view column : own_columns)
            if (is_same_column(axis.name, column))
                return bad(fmt::format("the table of results has a column \"{}\" of its own", column), axis.name,
                           "vary something else; or write the value's place into the command as {NAME}, by another "
                           "name");
        for (std::size_t j = 0; j < i; ++j) {
            const std::string& other = description.axes[j].name;
            if (other == axis.name) return bad("it is varied twice", axis.name, "give all of its values at once");
            if (is_same_column(other, axis.name))
                return bad(fmt::format("it differs from {} by case only, which databases do not tell apart", other),
                           axis.name, "write a value's place into the command as {NAME}, by another name");
        }
        if (description.design == Design::list && axis.values.size() != description.axes.front().values.size())
            return bad(fmt::format("{} values, but {} of {}", axis.values.size(),
                                   description.axes.front().values.size(), description.axes.front().name),
                       axis.name, "in a list all have as many; or choose the design product");
    }
    return check_repetition(description);
}

}  // namespace sassafras::study::sweep
