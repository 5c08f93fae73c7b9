// Comma-separated values with a header, read by column name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::validate {

class CsvTable {
  public:
    /// Quotes are understood, doubled ones within them too; line breaks are not. Errors: bad_input with file and line.
    static Result<CsvTable> read(const std::filesystem::path& file);
    /// The same of a text; `origin` stands in errors for the file.
    static Result<CsvTable> parse(std::string_view text, const std::string& origin);

    [[nodiscard]] std::size_t rows() const { return rows_.size(); }
    /// By name.
    [[nodiscard]] const std::map<std::string, std::size_t>& columns() const { return columns_; }
    /// Error bad_input if there is no such column.
    [[nodiscard]] Result<std::size_t> column(const std::string& name) const;
    [[nodiscard]] const std::string& text(std::size_t row, std::size_t column) const {
        return rows_.at(row).at(column);
    }
    /// An empty cell is 0. `base` is 10 or 16.
    [[nodiscard]] Result<std::uint64_t> whole(std::size_t row, std::size_t column, int base = 10) const;
    [[nodiscard]] Result<double> real(std::size_t row, std::size_t column) const;
    /// File and line of a row, for errors.
    [[nodiscard]] std::string where(std::size_t row) const;

  private:
    std::string file_;
    std::map<std::string, std::size_t> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace sassafras::validate
