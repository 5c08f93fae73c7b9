#include "study/adversary/climb_file.hpp"

#include <charconv>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_reader.hpp"
#include "core/json_text.hpp"
#include "core/printable.hpp"
#include "core/staged_file.hpp"
#include "core/whole_file.hpp"

namespace sassafras::study::adversary {
namespace {

constexpr std::int64_t version = 1;
constexpr std::uint64_t most_state_bytes = std::uint64_t{1} << 30U;  ///< two lists of numbers of ten digits
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

/// Of the numbers that are searched.
struct Size {
    std::uint64_t count;
    std::uint64_t greatest;
};

Error refuse_file(std::string what, const std::string& path, std::string remedy) {
    return {ErrorKind::bad_input, std::move(what), path, std::move(remedy)};
}

Numbers read_numbers(JsonObjectReader& reader, const char* key, const Size& size, bool may_be_empty,
                     JsonFaults& faults) {
    Numbers numbers;
    const nlohmann::ordered_json* const member = reader.member(key, Presence::required);
    if (member == nullptr) return numbers;
    const std::string pointer = json_pointer(reader.pointer(), key);
    if (!member->is_array() || (member->size() != size.count && !(may_be_empty && member->empty()))) {
        faults.add(pointer, fmt::format("must be an array of {} numbers", size.count));
        return numbers;
    }
    numbers.reserve(member->size());
    for (const nlohmann::ordered_json& number : *member) {
        if (!number.is_number_unsigned() || number.get<std::uint64_t>() > size.greatest) {
            faults.add(json_pointer(pointer, std::to_string(numbers.size())),
                       fmt::format("must be a whole number from 0 to {}", size.greatest));
            return numbers;
        }
        numbers.push_back(number.get<std::uint64_t>());
    }
    return numbers;
}

/// Four words, each as hexadecimal digits: JSON's numbers do not hold 64 bits everywhere.
void read_random(JsonObjectReader& reader, ClimbState& state, JsonFaults& faults) {
    const auto text = reader.text("random", Presence::required);
    if (!text) return;
    bool good = text->size() == 4 * 16;
    bool any = false;
    for (std::size_t word = 0; good && word < 4; ++word) {
        const char* const begin = text->data() + 16 * word;
        const auto [end, code] = std::from_chars(begin, begin + 16, state.random[word], 16);
        good = code == std::errc() && end == begin + 16;
        any = any || state.random[word] != 0;
    }
    if (!good || !any) faults.add(json_pointer(reader.pointer(), "random"), "must be 64 hexadecimal digits, not all 0");
}

}  // namespace

Result<void> write_climb(const std::string& path, const std::string& question, const ClimbState& state) {
    std::string random;
    for (const std::uint64_t word : state.random) random += fmt::format("{:016x}", word);
    const nlohmann::ordered_json json = {{"sassafras_search", version},
                                         {"question", question},
                                         {"evaluations", state.evaluations},
                                         {"restarts", state.restarts},
                                         {"since_better", state.since_better},
                                         {"judged", state.judged},
                                         {"current_value", state.current_value},
                                         {"best_value", state.best_value},
                                         {"random", random},
                                         {"current", state.current},
                                         {"best", state.best}};
    return write_output_file({path, "the state of the search", "--resume"}, json_line(json) + '\n');
}

Result<ClimbState> read_climb(const std::string& path, const std::string& question, std::uint64_t count,
                              std::uint64_t greatest_number) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return refuse_file("a search cannot continue from this: it is no regular file", path,
                           "name a file that a search made, or one that does not exist yet");
    const auto text = read_whole_text(path, most_state_bytes);
    if (!text) return text.error();
    JsonFaults faults(path);
    const auto json = parse_json(*text, faults);
    ClimbState state;
    if (json) {
        JsonObjectReader reader(*json, "", faults);
        reader.integer("sassafras_search", version, version, Presence::required);
        const auto asked = reader.text("question", Presence::required);
        if (asked && *asked != question)
            return refuse_file(fmt::format("the file belongs to another search: {}", printable(*asked, 600)), path,
                               fmt::format("this one is: {}", question));
        const auto whole = [&](const char* key) {
            return static_cast<std::uint64_t>(reader.integer(key, 0, greatest, Presence::required).value_or(0));
        };
        const auto value = [&](const char* key) {
            return reader
                .number(key, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(),
                        Presence::required)
                .value_or(0);
        };
        state.evaluations = whole("evaluations");
        state.restarts = whole("restarts");
        state.since_better = whole("since_better");
        state.judged = reader.boolean("judged", Presence::required).value_or(false);
        state.current_value = value("current_value");
        state.best_value = value("best_value");
        read_random(reader, state, faults);
        state.current = read_numbers(reader, "current", {count, greatest_number}, false, faults);
        state.best = read_numbers(reader, "best", {count, greatest_number}, state.evaluations == 0, faults);
        reader.finish();
    }
    if (!faults.empty()) return faults.error();
    return state;
}

}  // namespace sassafras::study::adversary
