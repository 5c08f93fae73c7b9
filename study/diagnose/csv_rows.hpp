// Rows and fields of CSV text, quotes and line ends as RFC 4180 has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study {

using CsvRow = std::vector<std::string>;

/// Empty rows are left out. Error bad_input, naming `origin`: a quote that does not end, or text behind one.
[[nodiscard]] Result<std::vector<CsvRow>> csv_rows(std::string_view text, const std::string& origin);

}  // namespace sassafras::study
