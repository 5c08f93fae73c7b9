#include <fmt/format.h>

#include "cli/pages/completion.hpp"

namespace sassafras::cli {

namespace {

constexpr const char* zsh_begin = R"(#compdef sassafras
# Completion of sassafras for zsh. Made by `sassafras completion zsh`.
_sassafras_names_or_files() {
    compadd "${expl[@]}" -- "$@"
    _files
}
_sassafras() {
    local command='' at
    local -a expl
    for ((at = 2; at < CURRENT; at++)); do
        # Behind -- stands a program of the user's.
        if [[ $words[at] == -- ]]; then
            shift $at words
            ((CURRENT -= at))
            _normal
            return
        fi
        case "$command/$words[at]" in
)";

constexpr const char* zsh_end = R"(    esac
}
if [[ $funcstack[1] == _sassafras ]]; then
    _sassafras "$@"
else
    compdef _sassafras sassafras
fi
)";

/// _arguments takes colons and brackets for its own.
std::string zsh_text(const std::string& text) {
    std::string result;
    for (const char letter : text) {
        if (letter == ':' || letter == '[' || letter == ']' || letter == '\\') result += '\\';
        result += letter;
    }
    return result;
}

/// What completes a value: words, words and files, files, or nothing.
std::string zsh_action(const OptionText& option) {
    const std::string words = fmt::format("{}", fmt::join(option.words, " "));
    if (!may_be_file(option)) return option.words.empty() ? " " : "(" + words + ")";
    return option.words.empty() ? "_files" : "_sassafras_names_or_files " + words;
}

std::string zsh_option(const OptionText& option) {
    const std::string message = zsh_text(option.value);
    std::string text;
    for (const std::string& name : option.names) {
        std::string spec = fmt::format("({}){}", fmt::join(option.names, " "), name);
        if (!option.value.empty()) spec += name.starts_with("--") ? "=" : "+";
        spec += "[" + zsh_text(option.description) + "]";
        if (!option.value.empty()) spec += ":" + message + ":" + zsh_action(option);
        text += " \\\n                " + shell_quoted(spec);
    }
    return text;
}

std::string zsh_command(const CommandText& command) {
    std::string text = fmt::format("        {})\n            _arguments -s", shell_quoted(command.path));
    std::string rest = "_files";
    std::string commands;
    for (const OptionText& option : command.options) {
        if (!option.is_positional)
            text += zsh_option(option);
        else if (!option.words.empty())
            rest = zsh_action(option);
    }
    for (const CommandText& below : command.commands)
        commands += fmt::format(" {}\\:\"{}\"", below.name, zsh_text(below.description));
    if (!commands.empty()) rest = "((" + commands.substr(1) + "))";
    return text + " \\\n                " +
           shell_quoted("*:" + std::string(commands.empty() ? "argument" : "command") + ":" + rest) +
           "\n            ;;\n";
}

}  // namespace

std::string zsh_completion(const CommandText& program) {
    const auto all = all_of(program);
    std::string text = zsh_begin;
    for (const CommandText* command : all)
        for (const CommandText& below : command->commands)
            text += fmt::format("            '{}/{}') command='{}' ;;\n", command->path, below.name, below.path);
    text += "        esac\n    done\n    case $command in\n";
    for (const CommandText* command : all) text += zsh_command(*command);
    return text + zsh_end;
}

}  // namespace sassafras::cli
