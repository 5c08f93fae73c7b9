#include "cli/options/terminal_text.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cli/options/fitted_table.hpp"

namespace sassafras::cli {

namespace {

constexpr std::string_view ansi_plain = "\033[0m";
constexpr std::string_view ansi_bold = "\033[1m";
constexpr std::string_view ansi_red = "\033[1;31m";
constexpr std::string_view ansi_green = "\033[32m";
constexpr std::string_view ansi_yellow = "\033[1;33m";
constexpr std::string_view ansi_blue = "\033[34m";

/// What begins a line, behind spaces, and how it looks; with `ends`, up to there.
struct TextStyle {
    std::string_view begin;
    std::string_view colour;
    std::string_view ends = {};
};
constexpr std::array<TextStyle, 7> text_styles{{
    {"OPT ", ansi_yellow},
    {"WRN ", ansi_red},
    {"INF ", ansi_blue},
    {"Bound by ", ansi_bold, ":"},
    {"What bounds it is not known", ansi_bold},
    {"verified: yes", ansi_green},
    {"verified: NO", ansi_red},
}};
constexpr std::array<TextStyle, 3> note_styles{{
    {"sassafras: error:", ansi_red},
    {"sassafras: internal error:", ansi_red},
    {"sassafras: warning:", ansi_yellow},
}};

template <std::size_t count>
std::string styled_line(std::string_view line, const std::array<TextStyle, count>& all) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return std::string(line);
    for (const TextStyle& style : all) {
        if (!line.substr(begin).starts_with(style.begin)) continue;
        std::size_t end = begin + style.begin.size();
        if (!style.ends.empty()) {
            end = line.find(style.ends, end);
            if (end == std::string_view::npos) continue;
        }
        std::string text(line.substr(0, begin));
        text.append(style.colour).append(line.substr(begin, end - begin)).append(ansi_plain);
        return text.append(line.substr(end));
    }
    return std::string(line);
}

template <std::size_t count>
std::string styled_lines(std::string_view text, const std::array<TextStyle, count>& all) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        out += styled_line(text.substr(0, end), all);
        if (end == std::string_view::npos) break;
        out += '\n';
        text.remove_prefix(end + 1);
    }
    return out;
}

/// "    OPT   Est. ..." has its room where the text of a rule begins; it is a sentence all the same.
bool is_sentence(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return true;
    const std::string_view text = line.substr(begin);
    if (text.starts_with("OPT ") || text.starts_with("INF ") || text.starts_with("WRN ")) return true;
    return text.find("  ") == std::string_view::npos && text.find_first_not_of("- ") != std::string_view::npos;
}

/// Words of a line that is too long, on as many as they take.
void append_broken(std::string& out, std::string_view line, std::size_t columns) {
    constexpr std::size_t deeper = 2;
    const std::size_t indent = line.find_first_not_of(' ');
    std::string now(line.substr(0, indent));
    bool is_first = true;
    for (std::string_view rest = line.substr(indent); !rest.empty();) {
        const std::size_t space = rest.find(' ');
        const std::string_view word = rest.substr(0, space);
        const std::size_t width = glyph_count(now) + (is_first ? 0 : 1) + glyph_count(word);
        if (!is_first && width > columns) {
            out += now + '\n';
            now = std::string(indent + deeper, ' ');
            is_first = true;
        }
        if (!is_first) now += ' ';
        now += word;
        is_first = false;
        rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
    }
    out += now + '\n';
}

}  // namespace

std::string fitted(std::string_view text, std::size_t columns) {
    std::string out;
    std::vector<std::string_view> table;
    const auto end_table = [&] {
        if (!table.empty()) out += fitted_table(table, columns);
        table.clear();
    };
    const bool is_ended = text.ends_with('\n');
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (!is_sentence(line)) {
            table.push_back(line);
            continue;
        }
        end_table();
        if (glyph_count(line) > columns)
            append_broken(out, line, columns);
        else
            out.append(line) += '\n';
    }
    end_table();
    if (!is_ended && !out.empty()) out.pop_back();
    return out;
}

std::string coloured(std::string_view text) { return styled_lines(text, text_styles); }

std::string coloured_note(std::string_view note) { return styled_lines(note, note_styles); }

bool takes_colour(int descriptor) {
    const char* const none = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    const bool is_dumb = terminal == nullptr || *terminal == '\0' || std::strcmp(terminal, "dumb") == 0;
    return isatty(descriptor) == 1 && !is_dumb && (none == nullptr || *none == '\0');
}

std::size_t printed_width() {
    constexpr std::size_t least = 40;  // nothing is readable in less
    if (const char* const said = std::getenv("COLUMNS")) {
        std::size_t columns = 0;
        const char* const end = said + std::strlen(said);
        const auto [stop, code] = std::from_chars(said, end, columns);
        if (code == std::errc() && stop == end && columns != 0) return std::max(columns, least);
    }
    winsize size{};
    const bool is_known =
        isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
    return is_known ? std::max<std::size_t>(size.ws_col, least) : 0;
}

}  // namespace sassafras::cli
