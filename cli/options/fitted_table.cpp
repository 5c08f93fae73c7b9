#include "cli/options/fitted_table.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sassafras::cli {

namespace {

using Glyphs = std::vector<std::string_view>;

bool begins_glyph(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }

Glyphs glyphs_of(std::string_view text) {
    Glyphs glyphs;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        while (end < text.size() && !begins_glyph(text[end])) ++end;
        glyphs.push_back(text.substr(at, end - at));
        at = end;
    }
    return glyphs;
}

bool is_blank_at(const Glyphs& line, std::size_t at) { return at >= line.size() || line[at] == " "; }

/// A column of the table: where its cells lie, and what becomes of it.
struct FittedColumn {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t before = 0;  ///< spaces between it and the column before
    std::size_t width = 0;
};

struct FittedCell {
    Glyphs glyphs;  ///< without the spaces around
    std::size_t lead = 0;
    bool has_letters = false;
    bool is_rule = false;  ///< dashes alone
};

FittedCell fitted_cell(const Glyphs& line, const FittedColumn& column) {
    FittedCell cell;
    std::size_t begin = column.begin;
    std::size_t end = std::min(column.end, line.size());
    while (begin < end && line[begin] == " ") ++begin;
    while (end > begin && line[end - 1] == " ") --end;
    if (begin >= end) return cell;
    cell.glyphs.assign(line.begin() + static_cast<std::ptrdiff_t>(begin),
                       line.begin() + static_cast<std::ptrdiff_t>(end));
    cell.lead = begin - column.begin;
    cell.is_rule = std::all_of(cell.glyphs.begin(), cell.glyphs.end(), [](auto glyph) { return glyph == "-"; });
    cell.has_letters = std::any_of(cell.glyphs.begin(), cell.glyphs.end(), [](std::string_view glyph) {
        return glyph.size() > 1 || std::isalpha(static_cast<unsigned char>(glyph.front())) != 0;
    });
    return cell;
}

/// Columns lie between positions that are blank in every line. One without a heading belongs to the column before: it
/// is a word of its cells.
std::vector<FittedColumn> fitted_columns(const std::vector<Glyphs>& lines, std::size_t width) {
    const auto blank_in_all = [&](std::size_t at) {
        return std::all_of(lines.begin(), lines.end(), [&](const Glyphs& line) { return is_blank_at(line, at); });
    };
    std::vector<FittedColumn> columns;
    for (std::size_t at = 0; at < width;) {
        if (blank_in_all(at)) {
            ++at;
            continue;
        }
        FittedColumn column{at, at, 0, 0};
        while (column.end < width && !blank_in_all(column.end)) ++column.end;
        at = column.end;
        const bool has_heading = !fitted_cell(lines.front(), column).glyphs.empty();
        if (has_heading || columns.empty())
            columns.push_back(column);
        else
            columns.back().end = column.end;
    }
    std::size_t end = 0;
    for (FittedColumn& column : columns) {
        column.before = column.begin - end;
        column.width = column.end - column.begin;
        end = column.end;
    }
    return columns;
}

std::size_t fitted_width(const std::vector<FittedColumn>& columns) {
    std::size_t width = 0;
    for (const FittedColumn& column : columns) width += column.before + column.width;
    return width;
}

/// Takes spaces away, the widest room first, as long as there is more than `least` and the table is too wide.
void move_closer(std::vector<FittedColumn>& columns, std::size_t most, std::size_t least) {
    while (fitted_width(columns) > most) {
        const auto widest = std::max_element(
            columns.begin(), columns.end(),
            [](const FittedColumn& left, const FittedColumn& right) { return left.before < right.before; });
        if (widest->before <= least) return;
        --widest->before;
    }
}

/// It is full of numbers.
bool is_machine_code(const Glyphs& heading, const FittedColumn& column) {
    std::string text;
    for (const std::string_view glyph : fitted_cell(heading, column).glyphs) text += glyph;
    return text == "Source" || text == "Instruction";
}

bool has_names(const std::vector<Glyphs>& lines, const FittedColumn& column) {
    return std::any_of(lines.begin() + 1, lines.end(),
                       [&](const Glyphs& line) { return fitted_cell(line, column).has_letters; });
}

/// What a column of names may be narrowed to: whole numbers, and enough of a name to know it by.
std::size_t least_fitted_width(const std::vector<Glyphs>& lines, const FittedColumn& column, std::size_t least_name) {
    // Rules of dashes above the heading are cut with it.
    const bool is_ruled = fitted_cell(lines.front(), column).is_rule;
    if (is_machine_code(lines.front(), column) || (!is_ruled && !has_names(lines, column))) return column.width;
    std::size_t least = std::min(column.width, least_name);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const FittedCell cell = fitted_cell(lines[i], column);
        const bool is_name = cell.has_letters && i != 0;
        if (!is_name && !cell.is_rule) least = std::max(least, std::min(column.width, cell.glyphs.size()));
    }
    return least;
}

void shorten_names(std::vector<FittedColumn>& columns, const std::vector<Glyphs>& lines, std::size_t most,
                   std::size_t least_name) {
    std::vector<std::size_t> least;
    for (const FittedColumn& column : columns) least.push_back(least_fitted_width(lines, column, least_name));
    while (fitted_width(columns) > most) {
        FittedColumn* widest = nullptr;
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i].width > least[i] && (widest == nullptr || columns[i].width > widest->width))
                widest = &columns[i];
        if (widest == nullptr) return;
        --widest->width;
    }
}

void append_glyphs(std::string& out, const Glyphs& glyphs, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out += glyphs[i];
}

std::string fitted_cell_text(const FittedCell& cell, const FittedColumn& column) {
    constexpr std::size_t dots = 3;
    std::string out;
    const std::size_t size = cell.glyphs.size();
    const bool at_right = cell.lead != 0 && cell.lead + size == column.end - column.begin;
    if (size <= column.width && (at_right || cell.lead + size > column.width)) {
        // A number or its heading; or a name that fits if it is not indented.
        out.assign(column.width - std::min(size, column.width), ' ');
        append_glyphs(out, cell.glyphs, 0, size);
        return out;
    }
    if (cell.is_rule) return std::string(std::min(size, column.width), '-');
    out.assign(std::min(cell.lead, column.width / 2), ' ');
    const std::size_t room = column.width - out.size();
    if (size <= room) {
        append_glyphs(out, cell.glyphs, 0, size);
    } else {
        const std::size_t front = (room - dots + 1) / 2;
        append_glyphs(out, cell.glyphs, 0, front);
        out.append(dots, '.');
        append_glyphs(out, cell.glyphs, size - (room - dots - front), size);
    }
    return out;
}

/// Parts of the table that are narrow enough each: the first column, and those of names behind it, begin every one.
std::vector<std::vector<FittedColumn>> parts_of(const std::vector<FittedColumn>& all, const std::vector<Glyphs>& lines,
                                                std::size_t most) {
    std::size_t labels = 1;
    while (labels < all.size() && has_names(lines, all[labels])) ++labels;
    if (labels >= all.size() || is_machine_code(lines.front(), all.back())) return {all};
    const std::vector<FittedColumn> label(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(labels));
    std::vector<std::vector<FittedColumn>> parts{label};
    for (std::size_t i = labels; i < all.size(); ++i) {
        const bool is_full = fitted_width(parts.back()) + all[i].before + all[i].width > most;
        if (is_full && parts.back().size() > labels) parts.push_back(label);
        parts.back().push_back(all[i]);
    }
    return parts;
}

void append_part(std::string& out, const std::vector<Glyphs>& lines, const std::vector<FittedColumn>& part) {
    for (const Glyphs& line : lines) {
        std::string text;
        std::size_t at = 0;
        std::size_t written = 0;  // glyphs
        for (const FittedColumn& column : part) {
            at += column.before;
            const std::string cell = fitted_cell_text(fitted_cell(line, column), column);
            if (cell.find_first_not_of(' ') != std::string::npos) {
                text.append(at - std::min(at, written), ' ');
                text += cell;
                written = std::max(at, written) + glyph_count(cell);
            }
            at += column.width;
        }
        out += text + '\n';
    }
}

}  // namespace

std::size_t glyph_count(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_glyph));
}

std::string fitted_table(const std::vector<std::string_view>& lines, std::size_t columns) {
    std::string out;
    std::vector<Glyphs> cells;
    std::size_t width = 0;
    for (const std::string_view line : lines) {
        cells.push_back(glyphs_of(line));
        width = std::max(width, cells.back().size());
        out.append(line) += '\n';
    }
    if (width <= columns) return out;
    std::vector<FittedColumn> all = fitted_columns(cells, width);
    for (const auto& [least_room, least_name] : {std::pair<std::size_t, std::size_t>{2, 40}, {1, 12}}) {
        move_closer(all, columns, least_room);
        shorten_names(all, cells, columns, least_name);
    }
    std::vector<std::vector<FittedColumn>> parts{all};
    if (fitted_width(all) > columns) {
        // With names as they are, if that is enough now.
        std::vector<FittedColumn> whole = fitted_columns(cells, width);
        move_closer(whole, columns, 1);
        parts = parts_of(whole, cells, columns);
        const auto is_narrow = [&](const auto& part) { return fitted_width(part) <= columns; };
        if (!std::all_of(parts.begin(), parts.end(), is_narrow)) parts = parts_of(all, cells, columns);
    }
    out.clear();
    for (const std::vector<FittedColumn>& part : parts) append_part(out, cells, part);
    return out;
}

}  // namespace sassafras::cli
