// The checked-in tables of source lines (NAME.lines), embedded in the program at build time; see embedded_lines.cmake.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace sassafras::study {

/// Name of the file and its text.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> embedded_line_files();

}  // namespace sassafras::study
