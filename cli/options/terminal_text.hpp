// Text for people as a terminal shows it: no line wider than it, and what matters most in colour.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sassafras::cli {

/// No line has more than `columns` characters, as far as that goes without cutting a number: of tables the room between
/// columns is made smaller, then names lose their middle ("first...last"), then columns go below one another; sentences
/// are broken.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns);

/// With ANSI's sequences around what bounds a kernel, the headings of rules, and whether a result is right.
[[nodiscard]] std::string coloured(std::string_view text);
/// The same around the first words of "sassafras: error: ..." and its like.
[[nodiscard]] std::string coloured_note(std::string_view note);

/// Standard output or standard error, by its number, is a terminal that shows colours and nobody wants none (NO_COLOR).
[[nodiscard]] bool takes_colour(int descriptor);
/// Of standard output: what COLUMNS says, else the terminal; 0 where there is no limit.
[[nodiscard]] std::size_t printed_width();

}  // namespace sassafras::cli
