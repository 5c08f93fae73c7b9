#include "study/sweep/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/spelling.hpp"

namespace sassafras::study::sweep {

namespace {

constexpr std::int64_t most_exact = std::int64_t{1} << 53U;

bool is_whole(double number) { return std::abs(number) < 0x1p53 && number == std::floor(number); }

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

}  // namespace

bool is_same_column(std::string_view one, std::string_view other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

bool Table::Column::is_numeric() const {
    if (holds_text) return false;
    return std::none_of(cells.begin(), cells.end(),
                        [](const Cell& cell) { return std::holds_alternative<std::string>(cell); });
}

ColumnType Table::Column::type() const {
    bool whole = true;
    bool exact = true;
    for (const Cell& cell : cells) {
        if (std::holds_alternative<std::monostate>(cell)) continue;
        if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
            exact = exact && *integer <= most_exact && *integer >= -most_exact;
            continue;
        }
        const auto number = number_of(cell);
        if (!number) return ColumnType::text;
        whole = whole && is_whole(*number);
    }
    if (holds_text || (!whole && !exact)) return ColumnType::text;
    return whole ? ColumnType::integer : ColumnType::real;
}

std::size_t Table::place_of(std::string_view column) {
    const auto [place, is_new] = places_.try_emplace(std::string(column), columns_.size());
    if (is_new) columns_.push_back({std::string(column), {}});
    return place->second;
}

void Table::set(std::string_view column, Cell value) {
    std::vector<Cell>& cells = columns_[place_of(column)].cells;
    cells.resize(rows_);
    cells.back() = std::move(value);
}

void Table::set_text(std::string_view column, std::string text) {
    columns_[place_of(column)].holds_text = true;
    set(column, text.empty() ? Cell() : Cell(std::move(text)));
}

void Table::leave_out_list(const std::string& place) {
    left_out_lists_.push_back(place);
    const std::string start = place + ".";
    const auto is_of_list = [&](const Column& column) {
        return column.name.size() > start.size() && column.name.starts_with(start) &&
               column.name[start.size()] >= '0' && column.name[start.size()] <= '9';
    };
    columns_.erase(std::remove_if(columns_.begin(), columns_.end(), is_of_list), columns_.end());
    places_.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) places_[columns_[i].name] = i;
}

const Cell& Table::at(const Column& column, std::size_t row) const {
    static const Cell nothing;
    return row < column.cells.size() ? column.cells[row] : nothing;
}

Result<const Table::Column*> Table::find(std::string_view name) const {
    std::vector<std::string> names;
    const Column* found = nullptr;
    std::size_t ends = 0;
    for (const Column& column : columns_) {
        if (column.name == name) return &column;
        if (column.name.ends_with("." + std::string(name))) {
            found = &column;
            ++ends;
        }
        const std::size_t dot = column.name.rfind('.');
        names.push_back(dot == std::string::npos ? column.name : column.name.substr(dot + 1));
    }
    if (ends == 1) return found;
    return Error{ErrorKind::bad_input,
                 fmt::format("the results have {} column \"{}\"", ends == 0 ? "no" : "more than one", name), "",
                 name_one_of(name, names)};
}

std::optional<double> number_of(const Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
    if (const auto* written = std::get_if<WrittenNumber>(&cell)) return written->value;
    return std::nullopt;
}

Cell cell_of(const std::string& text) {
    const char* const end = text.data() + text.size();
    std::int64_t integer = 0;
    const auto whole = std::from_chars(text.data(), end, integer);
    if (!text.empty() && whole.ec == std::errc() && whole.ptr == end && std::to_string(integer) == text) return integer;
    // A number of a platform may be a fraction, 1e9 or 0.50; what else reads as a number is a name: 007, nan, or an
    // integer of more than 64 bits.
    const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
    const bool has_zeros = digits.size() > 1 && digits[0] == '0' && digits[1] != '.' && digits[1] != 'e';
    if (has_zeros || digits.find_first_of(".eE") == std::string_view::npos) return text;
    double number = 0;
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc() || stop != end || !std::isfinite(number)) return text;
    if (text_of(number) == text) return number;
    return WrittenNumber{text, number};
}

std::string text_of(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* written = std::get_if<WrittenNumber>(&cell)) return written->text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    const auto* number = std::get_if<double>(&cell);
    if (number == nullptr) return "";
    char digits[32];
    // Whole numbers as such: a count of keys is no 1.048576e+06.
    if (std::abs(*number) < 0x1p53 && *number == std::floor(*number))
        return std::to_string(static_cast<std::int64_t>(*number));
    const auto [end, code] = std::to_chars(digits, digits + sizeof digits, *number);
    return code == std::errc() ? std::string(digits, end) : "";
}

}  // namespace sassafras::study::sweep
