#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "study/sweep/table_files.hpp"

namespace sassafras::study::sweep {

namespace {

struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

std::string quoted_name(const std::string& name) {
    std::string quoted = "\"";
    for (const char c : name) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

const char* name_of(ColumnType type) {
    switch (type) {
        case ColumnType::integer: return "INTEGER";
        case ColumnType::real: return "REAL";
        case ColumnType::text: return "TEXT";
    }
    return "";
}

bool execute(sqlite3* database, const std::string& text) {
    return sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

void put_cell(sqlite3_stmt* statement, int place, const Cell& cell, bool is_text) {
    if (std::holds_alternative<std::monostate>(cell)) {
        sqlite3_bind_null(statement, place);
    } else if (is_text) {
        const std::string text = text_of(cell);
        sqlite3_bind_text(statement, place, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        sqlite3_bind_int64(statement, place, *integer);
    } else {
        sqlite3_bind_double(statement, place, number_of(cell).value_or(0));
    }
}

std::size_t most_columns(sqlite3* database) {
    return static_cast<std::size_t>(sqlite3_limit(database, SQLITE_LIMIT_COLUMN, -1));
}

bool fill(sqlite3* database, const Table& table) {
    const std::size_t most = most_columns(database);
    std::string names;
    std::string places;
    std::vector<const Table::Column*> columns;
    std::vector<bool> is_text;
    for (const Table::Column& column : table.columns()) {
        if (columns.size() == most) break;
        columns.push_back(&column);
        const ColumnType type = column.type();
        is_text.push_back(type == ColumnType::text);
        const char* comma = names.empty() ? "" : ", ";
        names += fmt::format("{}{} {}", comma, quoted_name(column.name), name_of(type));
        places += fmt::format("{}?", comma);
    }
    if (!execute(database, "BEGIN") || !execute(database, "CREATE TABLE runs (" + names + ")")) return false;
    sqlite3_stmt* prepared = nullptr;
    const std::string insert = "INSERT INTO runs VALUES (" + places + ")";
    if (sqlite3_prepare_v2(database, insert.c_str(), -1, &prepared, nullptr) != SQLITE_OK) return false;
    const Statement statement(prepared);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            put_cell(prepared, static_cast<int>(i) + 1, table.at(*columns[i], row), is_text[i]);
        if (sqlite3_step(prepared) != SQLITE_DONE || sqlite3_reset(prepared) != SQLITE_OK) return false;
    }
    return execute(database, "COMMIT");
}

}  // namespace

Result<std::size_t> write_sqlite(const Table& table, const std::string& path) {
    // Written beside its place, so that a database that is there stays whole until this one is.
    const std::string beside = fmt::format("{}.{}", path, getpid());
    std::error_code failure;
    std::filesystem::remove(beside, failure);
    sqlite3* opened = nullptr;
    const int status = sqlite3_open(beside.c_str(), &opened);
    Database database(opened);
    const bool filled = status == SQLITE_OK && fill(opened, table);
    const std::size_t most = opened == nullptr ? 0 : most_columns(opened);
    const std::string why = filled ? "" : sqlite3_errmsg(opened);
    database.reset();
    if (filled) std::filesystem::rename(beside, path, failure);
    if (filled && !failure) return table.columns().size() - std::min(most, table.columns().size());
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    return Error{ErrorKind::bad_input, "cannot write the database: " + (why.empty() ? failure.message() : why), path,
                 "choose another --output"};
}

}  // namespace sassafras::study::sweep
