// The table as files that other programs read.
#pragma once

#include <string>

#include "core/result.hpp"
#include "study/sweep/table.hpp"

namespace sassafras::study::sweep {

/// RFC 4180: a line of names, then a line a run. Text is quoted where it must be.
[[nodiscard]] std::string csv_text(const Table& table);
/// An SQLite database with the table "runs". Numbers are REAL, or INTEGER in columns where all are whole. Error
/// bad_input if it cannot be written.
[[nodiscard]] Result<void> write_sqlite(const Table& table, const std::string& path);
/// NumPy's .npz: an array a column, numbers as float64 (NaN where there is none), text as str. Error bad_input if it
/// cannot be written.
[[nodiscard]] Result<void> write_npz(const Table& table, const std::string& path);
/// By the name's end: .csv, .sqlite or .db, .npz. Error bad_input, another one, or as above.
[[nodiscard]] Result<void> write_table(const Table& table, const std::string& path);

}  // namespace sassafras::study::sweep
