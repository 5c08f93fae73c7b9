#include "core/value_series.hpp"

#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace sassafras {

namespace {

constexpr std::size_t most_values = 10'000;
constexpr std::uint64_t most_value = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view dots = "..";

Error no_series(const std::string& what, std::string_view text, const std::string& option) {
    return {ErrorKind::bad_input, what, option + " " + std::string(text),
            "give a number, a list a,b,c, or a range: 2^10..2^28 doubles, 2^10..2^28:x4 multiplies by 4, 32..256:+32 "
            "adds 32"};
}

bool digits(std::string_view text, std::uint64_t& value) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && code == std::errc() && end == text.data() + text.size() && value <= most_value;
}

/// 4096 or 2^12.
bool number(std::string_view text, std::uint64_t& value) {
    const std::size_t hat = text.find('^');
    if (hat == std::string_view::npos) return digits(text, value);
    std::uint64_t base = 0;
    std::uint64_t exponent = 0;
    if (!digits(text.substr(0, hat), base) || !digits(text.substr(hat + 1), exponent)) return false;
    value = 1;
    for (std::uint64_t i = 0; i < exponent && base != 1; ++i) {
        if (base != 0 && value > most_value / base) return false;
        value *= base;
        if (base == 0) break;
    }
    return true;
}

struct Step {
    bool multiplies = true;
    std::uint64_t by = 2;
};

bool parse_step(std::string_view text, Step& step) {
    if (text.empty() || (text.front() != 'x' && text.front() != '+')) return false;
    step.multiplies = text.front() == 'x';
    return number(text.substr(1), step.by) && step.by > (step.multiplies ? 1 : 0);
}

Result<void> add_range(std::string_view item, const std::string& option, std::vector<std::uint64_t>& values) {
    const std::size_t middle = item.find(dots);
    std::string_view last = item.substr(middle + dots.size());
    Step step;
    if (const std::size_t colon = last.find(':'); colon != std::string_view::npos) {
        if (!parse_step(last.substr(colon + 1), step))
            return no_series("a range is of whole numbers, its step xF or +D, too", item, option);
        last = last.substr(0, colon);
    }
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    if (!number(item.substr(0, middle), from) || !number(last, to))
        return no_series("a range is of whole numbers, its step xF or +D, too", item, option);
    if (from > to) return no_series("the range goes down", item, option);
    if (from == 0 && step.multiplies && to > 0)
        return no_series("a range that multiplies never leaves 0", item, option);
    for (std::uint64_t value = from;;) {
        values.push_back(value);
        if (values.size() > most_values)
            return no_series(fmt::format("a series has at most {} values", most_values), item, option);
        if (step.multiplies ? value > to / step.by : step.by > to - value) return {};
        value = step.multiplies ? value * step.by : value + step.by;
        if (value == 0) return {};
    }
}

}  // namespace

bool is_series(std::string_view text) {
    return text.find(dots) != std::string_view::npos || text.find_first_of(",^") != std::string_view::npos;
}

Result<std::vector<std::uint64_t>> parse_series(std::string_view text, const std::string& option) {
    std::vector<std::uint64_t> values;
    for (std::string_view left = text;;) {
        const std::size_t comma = left.find(',');
        const std::string_view item = left.substr(0, comma);
        if (item.find(dots) != std::string_view::npos) {
            if (auto added = add_range(item, option, values); !added) return added.error();
        } else {
            std::uint64_t value = 0;
            if (!number(item, value)) return no_series("this is no whole number", item, option);
            values.push_back(value);
        }
        if (comma == std::string_view::npos) return values;
        left = left.substr(comma + 1);
    }
}

}  // namespace sassafras
