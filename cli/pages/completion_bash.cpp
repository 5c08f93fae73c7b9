#include <string_view>

#include <fmt/format.h>

#include "cli/pages/completion.hpp"

namespace sassafras::cli {

namespace {

constexpr const char* bash_begin = R"(# Completion of sassafras for bash. Made by `sassafras completion bash`.
_sassafras() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    # --option=value is three words here.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local command='' commands='' options='' values='' at
    for ((at = 1; at < COMP_CWORD; at++)); do
        # Behind -- stands a program of the user's.
        if [[ ${COMP_WORDS[at]} == -- ]]; then
            if declare -F _command_offset > /dev/null; then
                _command_offset $((at + 1))
            fi
            return
        fi
        case "$command/${COMP_WORDS[at]}" in
)";

constexpr const char* bash_end = R"(    if [[ $current == -* ]]; then
        values=$options
    else
        values="$commands $values"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
}
complete -o default -F _sassafras sassafras
)";

/// The branch of one option's value; nothing for a flag.
std::string bash_value(const CommandText& command, const OptionText& option) {
    if (option.is_positional || option.value.empty()) return {};
    std::string pattern;
    for (const std::string& name : option.names)
        pattern += fmt::format("{}'{}:{}'", pattern.empty() ? "" : " | ", command.path, name);
    std::string text = fmt::format("        {})\n", pattern);
    // Where nothing fits, bash offers files.
    if (!may_be_file(option)) text += "            compopt +o default 2> /dev/null\n";
    text += fmt::format(
        "            mapfile -t COMPREPLY < <(compgen -W {} -- \"$current\")\n            return\n            ;;\n",
        shell_quoted(fmt::format("{}", fmt::join(option.words, " "))));
    return text;
}

std::string bash_command(const CommandText& command) {
    std::string options;
    std::string positional;
    std::string commands;
    for (const OptionText& option : command.options)
        for (const std::string& name : option.is_positional ? option.words : option.names)
            (option.is_positional ? positional : options) += (name + " ");
    for (const CommandText& below : command.commands) commands += below.name + " ";
    return fmt::format(
        "        {})\n            options={}\n            values={}\n            commands={}\n            ;;\n",
        shell_quoted(command.path), shell_quoted(options), shell_quoted(positional), shell_quoted(commands));
}

}  // namespace

std::string bash_completion(const CommandText& program) {
    const auto all = all_of(program);
    std::string text = bash_begin;
    for (const CommandText* command : all)
        for (const CommandText& below : command->commands)
            text += fmt::format("            '{}/{}') command='{}' ;;\n", command->path, below.name, below.path);
    text += "        esac\n    done\n    case \"$command:$previous\" in\n";
    for (const CommandText* command : all)
        for (const OptionText& option : command->options) text += bash_value(*command, option);
    text += "    esac\n    case $command in\n";
    for (const CommandText* command : all) text += bash_command(*command);
    return text + "    esac\n" + bash_end;
}

}  // namespace sassafras::cli
