#include "cli/pages/manual_page.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

namespace sassafras::cli {

namespace {

/// As roff has to have it: backslashes and hyphens stay what they are, and no line is taken for a request.
std::string escaped(std::string_view text) {
    std::string result;
    bool begins_line = true;
    for (const char letter : text) {
        if (begins_line && (letter == '.' || letter == '\'')) result += "\\&";
        begins_line = letter == '\n';
        if (letter == '\\')
            result += "\\e";
        else if (letter == '-')
            result += "\\-";
        else
            result += letter;
    }
    return result;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }

std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string full_name(const CommandText& command) {
    return command.path.empty() ? "sassafras" : "sassafras " + command.path;
}

std::string option_heading(const OptionText& option) {
    if (option.is_positional) return italic(option.names.front());
    std::string text;
    for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
    return option.value.empty() ? text : text + " " + italic(option.value);
}

std::string option_entry(const OptionText& option) {
    std::string text = ".TP\n" + option_heading(option) + "\n" + escaped(option.description);
    if (option.only_words) text += escaped(fmt::format(" (one of: {})", fmt::join(option.words, ", ")));
    if (!option.range.empty()) text += escaped(fmt::format(" {}", option.range));
    if (!option.otherwise.empty()) text += escaped(fmt::format(" (default: {})", option.otherwise));
    if (option.is_required) text += " (required)";
    return text + "\n";
}

std::string synopsis(const CommandText& command) {
    std::string text = ".SH SYNOPSIS\n" + bold(full_name(command));
    if (!command.options.empty()) text += " [" + italic("options") + "]";
    for (const OptionText& option : command.options) {
        if (!option.is_positional) continue;
        const std::string name = italic(option.names.front());
        text += option.is_required ? " " + name : " [" + name + "]";
    }
    if (!command.commands.empty()) text += " " + italic("command") + " ...";
    return text + "\n";
}

std::string entries(const CommandText& command, bool positional, const char* heading) {
    std::string text;
    for (const OptionText& option : command.options)
        if (option.is_positional == positional) text += option_entry(option);
    return text.empty() ? text : fmt::format(".SH {}\n{}", heading, text);
}

std::string command_list(const CommandText& command) {
    if (command.commands.empty()) return {};
    std::string text = ".SH COMMANDS\n";
    for (const CommandText& below : command.commands)
        text += ".TP\n" + bold(page_name(below)) + "(1)\n" + escaped(below.description) + "\n";
    return text;
}

/// What the program's own page says of all commands.
constexpr const char* exit_status = R"(.SH EXIT STATUS
.TP
0
all is well
.TP
1
the result is wrong, or the kernel failed
.TP
2
bad usage or bad input
.TP
3
the kernel needs what is not modelled; the message names it
.TP
70
the simulator is wrong: please report it
)";

std::string see_also(const CommandText& command, const CommandText& program) {
    std::vector<std::string> pages;
    if (!command.path.empty()) pages.push_back("sassafras");
    for (const CommandText* other : all_of(program)) {
        const bool is_below = !command.path.empty() && other->path.starts_with(command.path + " ");
        const bool holds = !other->path.empty() && command.path.starts_with(other->path + " ");
        if (is_below || holds) pages.push_back(page_name(*other));
    }
    if (pages.empty()) return {};
    std::string text = ".SH SEE ALSO\n";
    for (const std::string& page : pages) text += bold(page) + "(1)" + (page == pages.back() ? "\n" : ",\n");
    return text;
}

}  // namespace

std::string page_name(const CommandText& command) {
    std::string name = full_name(command);
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::string manual_page(const CommandText& command, const CommandText& program, const std::string& version) {
    const std::string name = page_name(command);
    std::string heading = name;
    for (char& letter : heading) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    std::string text = fmt::format(".TH \"{}\" 1 \"\" \"sassafras {}\" \"User Commands\"\n", escaped(heading), version);
    text += ".SH NAME\n" + escaped(name) + " \\- " + escaped(command.description) + "\n";
    text += synopsis(command);
    text += entries(command, true, "ARGUMENTS");
    text += command_list(command);
    text += entries(command, false, "OPTIONS");
    if (!command.footer.empty()) text += ".SH NOTES\n" + escaped(command.footer) + "\n";
    if (command.path.empty()) text += exit_status;
    return text + see_also(command, program);
}

}  // namespace sassafras::cli
