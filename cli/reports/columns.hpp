// Rows of text as a table for people, and as CSV.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sassafras::cli {

/// Columns as wide as their widest cell; the first `left` columns are names, the rest numbers. All rows are as long as
/// the first.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t left);

/// A line of CSV, every field quoted.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace sassafras::cli
