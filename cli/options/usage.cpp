#include "cli/options/usage.hpp"

#include <algorithm>
#include <string_view>

#include "cli/pages/completion.hpp"
#include "core/spelling.hpp"

namespace sassafras::cli {

const CLI::App& chosen_command(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : chosen_command(*chosen.front());
}

std::string command_path(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    if (parent == nullptr || parent->get_parent() == nullptr) return command.get_name();
    return command_path(*parent) + " " + command.get_name();
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

std::optional<Error> check_command(const CLI::App& app, const std::vector<std::string>& arguments) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
    const std::string first = arguments.empty() ? std::string() : arguments.front();
    if (first == "-h" || first == "--help" || first == "--version") return std::nullopt;
    if (first.empty() || first.starts_with('-'))
        return Error{ErrorKind::bad_input, "no command is given", first,
                     name_one_of("", commands) + "; see sassafras --help"};
    for (const std::string& command : commands)
        if (command == first) return std::nullopt;
    return Error{ErrorKind::bad_input,
                 "there is no command \"" + first + "\"",
                 {},
                 name_one_of(first, commands) + "; see sassafras --help"};
}

Error not_behind_dashes(const std::vector<std::string>& arguments, const std::string& program, std::ptrdiff_t count) {
    // A value of an option may be spelled as the program is, and stands before it.
    std::ptrdiff_t before = std::count(arguments.begin(), arguments.end(), program) - count;
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./=,:+@%^";
    std::string text = "sassafras";
    bool is_written = false;
    for (const std::string& word : arguments) {
        if (!is_written && word == program && before-- <= 0) {
            text += " --";
            is_written = true;
        }
        const bool is_plain = !word.empty() && word.find_first_not_of(plain) == std::string::npos;
        text += " " + (is_plain ? word : shell_quoted(word));
    }
    return {ErrorKind::bad_input, "the program is not behind --", program, "write " + text};
}

Error usage_error(const CLI::App& app, const CLI::ParseError& failure, const std::vector<std::string>& arguments) {
    const CLI::App& command = chosen_command(app);
    const std::string help =
        "see sassafras " + (&command == &app ? std::string() : command_path(command) + " ") + "--help";
    // A misspelt option is the likely reason why a required one is missing.
    const auto unexpected = app.remaining(true);
    if (unexpected.empty() || command.get_allow_extras()) return {ErrorKind::bad_input, failure.what(), {}, help};
    const std::string& first = unexpected.front();
    if (command_path(command) == "exec" && !first.starts_with('-'))
        return not_behind_dashes(arguments, first, std::count(unexpected.begin(), unexpected.end(), first));
    const auto meant = suggest(first.substr(0, first.find('=')), option_names(command));
    return {ErrorKind::bad_input,
            "unexpected argument " + first,
            {},
            (meant ? "did you mean " + meant->name + "? " : std::string()) + help};
}

}  // namespace sassafras::cli
