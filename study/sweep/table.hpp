// The results of a study as one tidy table: a row a run, a column for each parameter and each number that came out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study::sweep {

class StudyFolder;

/// Nothing where a run has no such value.
using Cell = std::variant<std::monostate, double, std::string>;

/// Columns in the order in which they first came; all are as long as there are rows.
class Table {
  public:
    struct Column {
        std::string name;
        std::vector<Cell> cells;  ///< by row; may be shorter: what is missing is empty
        /// No text in it.
        [[nodiscard]] bool is_numeric() const;
    };

    std::size_t add_row() { return rows_++; }
    /// In the row that was added last.
    void set(std::string_view column, Cell value);

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] const Cell& at(const Column& column, std::size_t row) const;
    /// The column of this name, or the only one that ends with "." and it: "cycles" is "total.cycles". Error bad_input,
    /// with names that are like it.
    [[nodiscard]] Result<const Column*> find(std::string_view name) const;

  private:
    std::vector<Column> columns_;
    std::unordered_map<std::string, std::size_t> places_;
    std::size_t rows_ = 0;
};

/// What a cell says, as CSV has it: a number by as few digits as tell it from all others.
[[nodiscard]] std::string text_of(const Cell& cell);

/// All runs of a study, those without a result too. Columns: run (its number), status (done, failed, missing), error,
/// key, command where the study has several, the parameters, and every number and text of the report by its place
/// there, with dots: total.cycles. Of several launches a metric is their sum (.sum), greatest (.max) or least (.min),
/// and else their mean, weighted by their cycles. Errors: bad_input, a result that cannot be read.
[[nodiscard]] Result<Table> collect(const StudyFolder& study);

}  // namespace sassafras::study::sweep
