#include <fmt/format.h>

#include "cli/pages/completion.hpp"

namespace sassafras::cli {

namespace {

constexpr const char* fish_begin = R"(# Completion of sassafras for fish. Made by `sassafras completion fish`.
function __sassafras_at
    set -l command ''
    for word in (commandline -opc)[2..-1]
        switch "$command/$word"
)";

constexpr const char* fish_end = R"(        end
    end
    test "$command" = "$argv[1]"
end
)";

/// Between single quotes fish reads \' and \\ as what stands behind the backslash.
std::string fish_quoted(const std::string& text) {
    std::string result = "'";
    for (const char letter : text) {
        if (letter == '\'' || letter == '\\') result += '\\';
        result += letter;
    }
    return result + "'";
}

std::string fish_option(const std::string& begin, const OptionText& option) {
    const std::string words = fish_quoted(fmt::format("{}", fmt::join(option.words, " ")));
    if (option.is_positional) return option.words.empty() ? "" : begin + " -a " + words + "\n";
    std::string text = begin;
    for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty()) text += may_be_file(option) ? " -r -F" : " -x";
    if (!option.words.empty()) text += " -a " + words;
    return text + " -d " + fish_quoted(option.description) + "\n";
}

}  // namespace

std::string fish_completion(const CommandText& program) {
    const auto all = all_of(program);
    std::string text = fish_begin;
    for (const CommandText* command : all)
        for (const CommandText& below : command->commands)
            text += fmt::format("            case '{}/{}'\n                set command '{}'\n", command->path,
                                below.name, below.path);
    text += fish_end;
    for (const CommandText* command : all) {
        const std::string begin = fmt::format("complete -c sassafras -n \"__sassafras_at '{}'\"", command->path);
        for (const OptionText& option : command->options) text += fish_option(begin, option);
        for (const CommandText& below : command->commands)
            text += fmt::format("{} -f -a {} -d {}\n", begin, below.name, fish_quoted(below.description));
    }
    return text;
}

}  // namespace sassafras::cli
