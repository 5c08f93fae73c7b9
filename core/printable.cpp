#include "core/printable.hpp"

namespace sassafras {

namespace {

/// U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069: what follows is laid out from the right, and shows as what it
/// is not.
bool turns_text(unsigned first, unsigned second, unsigned third) {
    if (first != 0xe2) return false;
    if (second == 0x80) return third == 0x8e || third == 0x8f || (third >= 0xaa && third <= 0xae);
    return second == 0x81 && third >= 0xa6 && third <= 0xa9;
}

/// Bytes of the UTF-8 character that begins here; 0 if there is none that may be shown.
std::size_t shown_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80; };
    const unsigned first = byte(0);
    if (first == '\n' || first == '\t' || (first >= 0x20 && first < 0x7f)) return 1;
    // U+0080 to U+009F are control characters; shorter forms of a character than its own are none.
    if (first >= 0xc2 && first < 0xe0) return follows(1) && (first != 0xc2 || byte(1) >= 0xa0) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0) {
        const bool is_its_own = (first != 0xe0 || byte(1) >= 0xa0) && (first != 0xed || byte(1) < 0xa0);
        return follows(1) && follows(2) && is_its_own && !turns_text(byte(0), byte(1), byte(2)) ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const bool is_its_own = (first != 0xf0 || byte(1) >= 0x90) && (first != 0xf4 || byte(1) < 0x90);
        return follows(1) && follows(2) && follows(3) && is_its_own ? 4 : 0;
    }
    return 0;
}

}  // namespace

std::string for_terminal(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = shown_bytes(text);
        if (bytes == 0)
            shown += printable(text.substr(0, 1));
        else
            shown += text.substr(0, bytes);
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return shown;
}

}  // namespace sassafras
