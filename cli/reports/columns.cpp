#include "cli/reports/columns.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sassafras::cli {

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t left) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows) {
        std::string line = "   ";
        for (std::size_t i = 0; i < row.size(); ++i)
            line += i < left ? fmt::format(" {:<{}}", row[i], widths[i]) : fmt::format(" {:>{}}", row[i], widths[i]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (const auto& field : fields) {
        line += line.empty() ? "\"" : ",\"";
        for (const char c : field) {
            if (c == '"') line += '"';
            line += c;
        }
        line += '"';
    }
    return line + "\n";
}

}  // namespace sassafras::cli
