#include "validate/records/csv.hpp"

#include <charconv>
#include <utility>

#include "core/whole_file.hpp"

namespace sassafras::validate {

namespace {

constexpr std::uint64_t most_csv_bytes = std::uint64_t{1} << 30U;

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && line.compare(i, 2, "\"\"") == 0)  // a quote within quotes
            cells.back() += line[i++];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else if (c != '\r')
            cells.back() += c;
    }
    return cells;
}

template <class T, class... Format>
Result<T> parse_number(const std::string& text, const std::string& where, Format... format) {
    T value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, format...);
    if (code != std::errc() || end != text.data() + text.size())
        return Error{ErrorKind::bad_input, "not a number: '" + text + "'", where,
                     "write the file with scripts/import-hardware"};
    return value;
}

}  // namespace

Result<CsvTable> CsvTable::read(const std::filesystem::path& file) {
    const auto text = read_whole_text(file.string(), most_csv_bytes);
    if (!text)
        return Error{ErrorKind::bad_input, text.error().what, file.string(),
                     "record it with scripts/record-hardware and scripts/import-hardware"};
    return parse(*text, file.string());
}

Result<CsvTable> CsvTable::parse(std::string_view text, const std::string& origin) {
    CsvTable table;
    table.file_ = origin;
    if (text.empty()) return Error{ErrorKind::bad_input, "the file is empty", origin, {}};
    const auto take_line = [&text] {
        const std::size_t end = text.find('\n');
        const std::string line(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        return line;
    };
    const std::vector<std::string> names = split(take_line());
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!table.columns_.emplace(names[i], i).second)
            return Error{ErrorKind::bad_input, "two columns are named " + names[i], origin + ":1", {}};
    while (!text.empty()) {
        table.rows_.push_back(split(take_line()));
        if (const std::size_t cells = table.rows_.back().size(); cells != names.size())
            return Error{ErrorKind::bad_input,
                         std::to_string(cells) + " cells under " + std::to_string(names.size()) + " columns",
                         table.where(table.rows_.size() - 1),
                         {}};
    }
    return table;
}

Result<std::size_t> CsvTable::column(const std::string& name) const {
    const auto found = columns_.find(name);
    if (found == columns_.end()) return Error{ErrorKind::bad_input, "there is no column " + name, file_, {}};
    return found->second;
}

Result<std::uint64_t> CsvTable::whole(std::size_t row, std::size_t column, int base) const {
    if (text(row, column).empty()) return std::uint64_t{0};
    return parse_number<std::uint64_t>(text(row, column), where(row), base);
}

Result<double> CsvTable::real(std::size_t row, std::size_t column) const {
    return parse_number<double>(text(row, column), where(row));
}

std::string CsvTable::where(std::size_t row) const { return file_ + ":" + std::to_string(row + 2); }

}  // namespace sassafras::validate
