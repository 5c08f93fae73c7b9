#include "cli/options/help_format.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace sassafras::cli {

namespace {

constexpr std::size_t least_columns = 40;
constexpr std::size_t most_columns = 120;  // longer lines are hard to read
/// In narrower ones descriptions begin farther to the left, so that there is room for them.
constexpr std::size_t usual_columns = 80;

std::optional<std::size_t> columns_of_output() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
    return size.ws_col;
}

/// Where the second line of a line begins.
/// `is_listed`: it is of a list of options or commands, each a name and what it does.
std::size_t indentation(std::string_view line, std::size_t description_column, bool is_listed) {
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    // A name that only just fits has one space behind it.
    const bool has_description = is_listed && first < description_column && line.size() > description_column &&
                                 line[description_column - 1] == ' ' && line[description_column] != ' ';
    return has_description ? description_column : first == 0 ? 2 : first;
}

/// Characters of the line that stay on it; the rest does not fit.
std::size_t length_that_fits(std::string_view line, std::size_t indented, std::size_t columns) {
    if (line.size() <= columns) return line.size();
    for (std::size_t at = columns; at > indented; --at)
        if (line[at] == ' ' || line[at - 1] == ',') return at;
    // A word that is longer than a line: "buffer:BYTES[:zero|iota|random|file=FILE]".
    for (std::size_t at = columns; at > indented; --at)
        if (line[at - 1] == '|' || line[at - 1] == ':' || line[at] == '[') return at;
    for (std::size_t at = columns; at < line.size(); ++at)
        if (line[at] == ' ' || line[at - 1] == ',') return at;
    return line.size();
}

}  // namespace

HelpWidth help_width(const char* columns, std::optional<std::size_t> of_terminal) {
    std::optional<std::size_t> wanted = of_terminal;
    if (columns != nullptr) {
        std::size_t value = 0;
        const char* const end = columns + std::strlen(columns);
        const auto [stop, code] = std::from_chars(columns, end, value);
        if (code == std::errc() && stop == end && value != 0) wanted = value;
    }
    HelpWidth width;
    if (!wanted) return width;
    width.columns = std::clamp(*wanted, least_columns, most_columns);
    if (width.columns < usual_columns)
        width.description_column = width.description_column * width.columns / usual_columns;
    return width;
}

HelpFormat::HelpFormat() : width_(help_width(std::getenv("COLUMNS"), columns_of_output())) {
    column_width(width_.description_column);
}

std::string wrap_help(std::string_view text, HelpWidth width) {
    std::string wrapped;
    bool is_listed = false;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string line(text.substr(0, end));
        if (!line.starts_with(' ')) is_listed = line.ends_with(':');
        const std::size_t indent = indentation(line, width.description_column, is_listed);
        std::size_t indented = std::min(line.find_first_not_of(' '), line.size());
        for (;;) {
            const std::size_t stay = length_that_fits(line, indented, width.columns);
            wrapped += line.substr(0, stay);
            const std::size_t next = line.find_first_not_of(' ', stay);
            if (next == std::string::npos) break;
            wrapped += '\n';
            line = std::string(indent, ' ') + line.substr(next);
            indented = indent;
        }
        if (end == std::string_view::npos) break;
        wrapped += '\n';
        text.remove_prefix(end + 1);
    }
    return wrapped;
}

}  // namespace sassafras::cli
