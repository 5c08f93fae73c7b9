#include "study/sweep/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/spelling.hpp"

namespace sassafras::study::sweep {

bool Table::Column::is_numeric() const {
    return std::none_of(cells.begin(), cells.end(),
                        [](const Cell& cell) { return std::holds_alternative<std::string>(cell); });
}

void Table::set(std::string_view column, Cell value) {
    const auto [place, is_new] = places_.try_emplace(std::string(column), columns_.size());
    if (is_new) columns_.push_back({std::string(column), {}});
    std::vector<Cell>& cells = columns_[place->second].cells;
    cells.resize(rows_);
    cells.back() = std::move(value);
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

std::string text_of(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
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
