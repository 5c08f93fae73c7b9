#include <cmath>
#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "study/sweep/table_files.hpp"

namespace sassafras::study::sweep {

namespace {

const char* column_type_name(ColumnType type) {
    switch (type) {
        case ColumnType::integer: return "integer";
        case ColumnType::real: return "real";
        case ColumnType::text: return "text";
    }
    return "";
}

nlohmann::ordered_json json_of_cell(const Cell& cell, ColumnType type) {
    if (std::holds_alternative<std::monostate>(cell)) return nullptr;
    if (type == ColumnType::text) return text_of(cell);
    const auto* const integer = std::get_if<std::int64_t>(&cell);
    const double number = number_of(cell).value_or(0);
    if (type == ColumnType::integer) return integer != nullptr ? *integer : static_cast<std::int64_t>(number);
    return std::isfinite(number) ? nlohmann::ordered_json(number) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string json_text(const Table& table, std::string_view version, const nlohmann::ordered_json& more) {
    nlohmann::ordered_json json{{"sassafras", version}, {"rows", table.rows()}};
    auto& columns = json["columns"] = nlohmann::ordered_json::array();
    for (const Table::Column& column : table.columns()) {
        const ColumnType type = column.type();
        auto values = nlohmann::ordered_json::array();
        for (std::size_t row = 0; row < table.rows(); ++row)
            values.push_back(json_of_cell(table.at(column, row), type));
        columns.push_back({{"name", column.name}, {"type", column_type_name(type)}, {"values", std::move(values)}});
    }
    json.update(more);
    return json_document(json);
}

}  // namespace sassafras::study::sweep
