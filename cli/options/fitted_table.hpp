// A table of text, made narrower.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sassafras::cli {

/// Characters of UTF-8.
[[nodiscard]] std::size_t glyph_count(std::string_view text);

/// Lines of one table, each with its newline; the first is its heading. They are as they were if none is wider than
/// `columns`; else columns stand closer, and if that is not enough the widest columns of names lose the middle of what
/// is too long. Numbers are whole always: a table of many is printed in parts, one below the other, each with the
/// columns that say what its rows are.
[[nodiscard]] std::string fitted_table(const std::vector<std::string_view>& lines, std::size_t columns);

}  // namespace sassafras::cli
