#include "core/part.hpp"

#include <charconv>

#include <fmt/format.h>

namespace sassafras {

Result<Part> parse_part(const std::string& text, const std::string& option) {
    Part part;
    if (text.empty()) return part;
    const char* const end = text.data() + text.size();
    const auto index = std::from_chars(text.data(), end, part.index);
    if (index.ec == std::errc() && index.ptr != end && *index.ptr == '/') {
        const auto count = std::from_chars(index.ptr + 1, end, part.count);
        if (count.ec == std::errc() && count.ptr == end && part.index < part.count) return part;
    }
    return Error{ErrorKind::bad_input, "this is no part of a whole", option + " " + text,
                 "write I/N with I from 0 to N - 1: 0/4 to 3/4"};
}

std::string part_text(const Part& part) { return fmt::format("{}/{}", part.index, part.count); }

}  // namespace sassafras
