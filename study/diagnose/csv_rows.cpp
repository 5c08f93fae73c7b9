#include "study/diagnose/csv_rows.hpp"

#include <csv.h>

namespace sassafras::study {

namespace {

struct Rows {
    std::vector<CsvRow> complete;
    CsvRow begun;
};

void end_field(void* text, std::size_t size, void* rows) {
    static_cast<Rows*>(rows)->begun.emplace_back(static_cast<const char*>(text), size);
}

void end_row(int /*terminator*/, void* rows) {
    auto& all = *static_cast<Rows*>(rows);
    all.complete.push_back(std::move(all.begun));
    all.begun.clear();
}

}  // namespace

Result<std::vector<CsvRow>> csv_rows(std::string_view text, const std::string& origin) {
    csv_parser parser{};
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) throw InvariantViolation("libcsv does not begin");
    Rows rows;
    const bool read = csv_parse(&parser, text.data(), text.size(), end_field, end_row, &rows) == text.size() &&
                      csv_fini(&parser, end_field, end_row, &rows) == 0;
    const std::string what = read ? "" : csv_strerror(csv_error(&parser));
    csv_free(&parser);
    if (!read)
        return Error{ErrorKind::bad_input, "this is no CSV: " + what,
                     origin + ", behind row " + std::to_string(rows.complete.size())};
    return std::move(rows.complete);
}

}  // namespace sassafras::study
