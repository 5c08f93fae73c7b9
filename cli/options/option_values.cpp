#include "cli/options/option_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "core/spelling.hpp"

namespace sassafras::cli {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    const bool bounded = most != std::numeric_limits<std::uint64_t>::max();
    const std::string range = bounded ? fmt::format("{} to {}", least, most) : fmt::format("{} or more", least);
    return {[=](std::string& text) -> std::string {
                std::uint64_t value = 0;
                const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
                const bool whole = end == text.data() + text.size();
                if (code == std::errc::result_out_of_range && whole)
                    return fmt::format("{} is too large; give {}", text, bounded ? range : "at most 2^64 - 1");
                if (code != std::errc() || !whole)
                    return fmt::format("\"{}\" is no whole number; give {}", text, range);
                if (value < least || value > most) return fmt::format("{} is out of range; give {}", text, range);
                text = fmt::format("{}", value);
                return {};
            },
            bounded ? fmt::format("[{} to {}]", least, most) : ""};
}

CLI::Validator real_number(double least, double most) {
    return {[=](std::string& text) -> std::string {
                double value = 0;
                const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
                // Written so that NaN, which is neither less nor greater, is refused.
                const bool in_range = value >= least && value <= most;
                if (code == std::errc() && end == text.data() + text.size() && in_range) return {};
                return fmt::format("\"{}\" is out of range or no number; give a number from {} to {}", text, least,
                                   most);
            },
            fmt::format("[{} to {}]", least, most)};
}

CLI::Validator percentage() {
    return {[](std::string& text) -> std::string {
                const std::string_view given = text;
                const std::string_view digits = given.ends_with('%') ? given.substr(0, given.size() - 1) : given;
                double value = 0;
                const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
                if (code != std::errc() || end != digits.data() + digits.size() || !(value > 0) || value > 100)
                    return fmt::format("\"{}\" is no share; give a number above 0 and up to 100, in per cent", text);
                text = std::string(digits);
                return {};
            },
            "[above 0 to 100%]"};
}

CLI::Validator one_of(std::vector<std::string> words) {
    const std::string listed = fmt::format("{{{}}}", fmt::join(words, ","));
    return {[words = std::move(words)](std::string& text) -> std::string {
                for (const std::string& word : words)
                    if (word == text) return {};
                return fmt::format("\"{}\" is unknown; {}", text, name_one_of(text, words));
            },
            listed};
}

CLI::Validator not_empty(std::string what) {
    return CLI::Validator(
        [what = std::move(what)](const std::string& text) { return text.empty() ? "give " + what : std::string(); },
        "");
}

CLI::Validator output_file() {
    return CLI::Validator(
        [](const std::string& file) {
            if (file.empty()) return std::string("give a file");
            return file == "-" ? std::string("give a file: standard output has the report") : std::string();
        },
        "");
}

}  // namespace sassafras::cli
