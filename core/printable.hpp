// Text from a file, as a message may show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sassafras {

/// What is no printable ASCII becomes \xNN, and what is longer than `longest` characters is cut with "..." behind it: a
/// damaged file must not write to the user's terminal what it likes.
[[nodiscard]] inline std::string printable(std::string_view text, std::size_t longest = 200) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string shown;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = byte >= 0x20 && byte < 0x7f;
        if (shown.size() + (plain ? 1 : 4) > longest) return shown + "...";
        if (plain)
            shown += c;
        else
            shown += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    }
    return shown;
}

/// A report or a message as a terminal may get it: what would steer it (escape and all other control characters but the
/// end of a line and the tabulator, those of Unicode and its marks of direction, too) and what is no UTF-8 becomes
/// \xNN. Names in it come from files.
[[nodiscard]] std::string for_terminal(std::string_view text);

}  // namespace sassafras
