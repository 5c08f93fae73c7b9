#include "core/staged_file.hpp"
#include "study/sweep/table_files.hpp"

namespace sassafras::study::sweep {

namespace {

std::string field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace

std::string csv_text(const Table& table) {
    std::string text;
    for (const Table::Column& column : table.columns()) text += (text.empty() ? "" : ",") + field(column.name);
    text += '\n';
    for (std::size_t row = 0; row < table.rows(); ++row) {
        bool first = true;
        for (const Table::Column& column : table.columns()) {
            if (!first) text += ',';
            first = false;
            text += field(text_of(table.at(column, row)));
        }
        text += '\n';
    }
    return text;
}

Result<std::size_t> write_table(const Table& table, const std::string& path) {
    const auto whole = [](const Result<void>& written) {
        return written ? Result<std::size_t>(0) : Result<std::size_t>(written.error());
    };
    if (path.ends_with(".csv")) return whole(write_output_file({path, "the table", "--output"}, csv_text(table)));
    if (path.ends_with(".sqlite") || path.ends_with(".db")) return write_sqlite(table, path);
    if (path.ends_with(".npz")) return whole(write_npz(table, path));
    return Error{ErrorKind::bad_input, "the name does not say what kind of file it is to be", path,
                 "let it end in .csv, .sqlite, .db or .npz"};
}

}  // namespace sassafras::study::sweep
