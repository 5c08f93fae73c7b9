// The table as files that other programs read.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "core/result.hpp"
#include "study/sweep/table.hpp"

namespace sassafras::study::sweep {

/// RFC 4180: a line of names, then a line a run. Text is quoted where it must be.
[[nodiscard]] std::string csv_text(const Table& table);
/// `head` and {"rows", "columns": [{"name", "type": "integer", "real" or "text", "values"}]} behind it: each value as
/// its column's type has it, null where a run has none.
[[nodiscard]] std::string json_text(const Table& table, nlohmann::ordered_json head);
/// An SQLite database with the table "runs". Columns are of their ColumnType. How many columns it lacks, as it cannot
/// have more (2,000, if SQLite is as its authors build it). Error bad_input if it cannot be written.
[[nodiscard]] Result<std::size_t> write_sqlite(const Table& table, const std::string& path);
/// NumPy's .npz: an array a column, numbers as float64 (NaN where there is none), text as str; integers as int64 where
/// float64 has too few digits, or as str if some are missing. Error bad_input if it cannot be written, or if a column
/// is of 4 GiB or more.
[[nodiscard]] Result<void> write_npz(const Table& table, const std::string& path);
/// By the name's end: .csv, .sqlite or .db, .npz. How many columns the file lacks. Error bad_input, another one, or as
/// above.
[[nodiscard]] Result<std::size_t> write_table(const Table& table, const std::string& path);

}  // namespace sassafras::study::sweep
