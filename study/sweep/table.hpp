// The results of a study as one tidy table: a row a run, a column for each parameter and each number that came out.
#pragma once

#include <array>
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

/// A number as it was written, where the number alone does not say how: 0.50.
struct WrittenNumber {
    std::string text;
    double value = 0;
    bool operator==(const WrittenNumber&) const = default;
};

/// Nothing where a run has no such value. Whole numbers that were written as such are integers: a double has 53 bits.
using Cell = std::variant<std::monostate, double, std::int64_t, WrittenNumber, std::string>;

/// The columns that are not the runs' own.
inline constexpr std::array<std::string_view, 6> own_columns{"run", "status", "error", "key", "command", "launches"};

/// Databases tell names apart by more than the case of ASCII letters.
[[nodiscard]] bool is_same_column(std::string_view one, std::string_view other);

/// Text also stands for numbers of which some are fractions and some have more digits than a double.
enum class ColumnType : std::uint8_t { integer, real, text };

/// Columns in the order in which they first came; all are as long as there are rows.
class Table {
  public:
    struct Column {
        std::string name;
        std::vector<Cell> cells;  ///< by row; may be shorter: what is missing is empty
        bool holds_text = false;  ///< text even if no row has any
        /// No text in it.
        [[nodiscard]] bool is_numeric() const;
        /// What holds all of its cells without loss.
        [[nodiscard]] ColumnType type() const;
    };

    std::size_t add_row() { return rows_++; }
    /// In the row that was added last.
    void set(std::string_view column, Cell value);
    /// The same of a column that is text in every file, also where no row has any. Empty text is nothing.
    void set_text(std::string_view column, std::string text);
    /// Takes out of every row the list at this place: columns PLACE.0 and so on.
    void leave_out_list(const std::string& place);
    /// Lists that were taken out.
    [[nodiscard]] const std::vector<std::string>& left_out_lists() const { return left_out_lists_; }

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] const Cell& at(const Column& column, std::size_t row) const;
    /// The column of this name, or the only one that ends with "." and it: "cycles" is "total.cycles". Error bad_input,
    /// with names that are like it.
    [[nodiscard]] Result<const Column*> find(std::string_view name) const;

  private:
    std::size_t place_of(std::string_view column);

    std::vector<Column> columns_;
    std::vector<std::string> left_out_lists_;
    std::unordered_map<std::string, std::size_t> places_;
    std::size_t rows_ = 0;
};

/// Nothing of text.
[[nodiscard]] std::optional<double> number_of(const Cell& cell);

/// A value that somebody wrote: an integer or a number if it is written as one, without zeros in front.
[[nodiscard]] Cell cell_of(const std::string& text);

/// What a cell says, as CSV has it: a number by as few digits as tell it from all others.
[[nodiscard]] std::string text_of(const Cell& cell);

/// All runs of a study, those without a result too. Columns: run (its number), status (done, failed, missing), error,
/// key, command (without what varies) where the study has several, the parameters, and every number and text of the
/// report by its place there, with dots: total.cycles; behind "report." where that is the name of a column before it.
/// Lists of which one has more than 16 values are left out. A run whose record is damaged has failed. Of several
/// launches a metric is their sum (.sum), greatest (.max) or least (.min), and else their mean, weighted by their
/// cycles. Errors: bad_input, parts of a run that are not of one whole.
[[nodiscard]] Result<Table> collect(const StudyFolder& study);

}  // namespace sassafras::study::sweep
