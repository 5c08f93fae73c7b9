#include "cli/options/help_format.hpp"

#include <algorithm>

namespace sassafras::cli {

namespace {

constexpr std::size_t description_column = 30;  // CLI::FormatterBase's

/// Where the second line of a line begins.
std::size_t indentation(std::string_view line) {
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", first);
    const bool has_description = first < description_column && line.size() > description_column &&
                                 gap != std::string_view::npos && gap < description_column;
    return has_description ? description_column : first == 0 ? 2 : first;
}

/// Characters of the line that stay on it; the rest does not fit.
std::size_t length_that_fits(std::string_view line, std::size_t indented, std::size_t columns) {
    if (line.size() <= columns) return line.size();
    for (std::size_t at = columns; at > indented; --at)
        if (line[at] == ' ' || line[at - 1] == ',') return at;
    for (std::size_t at = columns; at < line.size(); ++at)
        if (line[at] == ' ' || line[at - 1] == ',') return at;
    return line.size();
}

}  // namespace

std::string wrap_help(std::string_view text, std::size_t columns) {
    std::string wrapped;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string line(text.substr(0, end));
        const std::size_t indent = indentation(line);
        std::size_t indented = std::min(line.find_first_not_of(' '), line.size());
        for (;;) {
            const std::size_t stay = length_that_fits(line, indented, columns);
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
