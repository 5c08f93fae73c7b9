// A line of CSV: every field quoted, quotes doubled (RFC 4180).
#pragma once

#include <string>
#include <vector>

namespace sassafras::cli {

[[nodiscard]] inline std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) {
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
