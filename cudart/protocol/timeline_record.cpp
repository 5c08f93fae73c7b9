#include "cudart/protocol/timeline_record.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "cudart/protocol/record_parts.hpp"

namespace sassafras::cudart {

namespace {

template <class Number>
void append_number(std::string& text, Number number) {
    constexpr std::size_t longest = 32;  // of the shortest text of a double that reads back as it was
    std::array<char, longest> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text.append(digits.data(), end);
    text += ' ';
}

template <class Number>
Number take_number(std::string_view& text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || length == text.size() || text[length] != ' ')
        throw DamagedRecord("a number of the timeline is none");
    text.remove_prefix(length + 1);
    return number;
}

/// Each name once; lines have few.
class Names {
  public:
    std::size_t place_of(const std::string& name) {
        const auto place = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
        if (place == names_.size()) names_.push_back(name);
        return place;
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return names_; }

  private:
    std::vector<std::string> names_;
};

}  // namespace

std::string timeline_line(int process, const std::vector<TimelineEntry>& entries) {
    std::string numbers;
    Names names;
    for (const TimelineEntry& entry : entries) {
        append_number(numbers, static_cast<int>(entry.kind));
        append_number(numbers, entry.begin);
        append_number(numbers, entry.end);
        append_number(numbers, entry.thread);
        append_number(numbers, names.place_of(entry.track));
        append_number(numbers, names.place_of(entry.name));
        append_number(numbers, entry.number);
        append_number(numbers, entry.count);
        append_number(numbers, entry.call);
    }
    return json_line({{"timeline", std::move(numbers)}, {"names", names.all()}, {"process", process}}) + "\n";
}

std::vector<TimelineEntry> read_timeline(const nlohmann::ordered_json& line) {
    const auto& text = line.at("timeline").get_ref<const std::string&>();
    const auto names = line.at("names").get<std::vector<std::string>>();
    std::vector<TimelineEntry> entries;
    for (std::string_view rest = text; !rest.empty();) {
        TimelineEntry entry;
        const auto kind = take_number<int>(rest);
        if (kind < 0 || kind > static_cast<int>(TimelineEntry::Kind::mark))
            throw DamagedRecord("nothing of this kind happens in time");
        entry.kind = static_cast<TimelineEntry::Kind>(kind);
        entry.begin = take_number<double>(rest);
        entry.end = take_number<double>(rest);
        if (!(entry.begin <= entry.end)) throw DamagedRecord("it ends before it begins");
        entry.thread = take_number<std::uint64_t>(rest);
        for (std::string* const name : {&entry.track, &entry.name}) {
            const auto place = take_number<std::size_t>(rest);
            if (place >= names.size()) throw DamagedRecord("a name of the timeline is missing");
            *name = names[place];
        }
        entry.number = take_number<std::uint64_t>(rest);
        entry.count = take_number<std::uint64_t>(rest);
        entry.call = take_number<std::uint64_t>(rest);
        entries.push_back(std::move(entry));
    }
    return entries;
}

}  // namespace sassafras::cudart
