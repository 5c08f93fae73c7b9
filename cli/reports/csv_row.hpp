// Lines of CSV as Nsight Compute writes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace sassafras::cli {

/// Every field is quoted, as Nsight Compute does.
class CsvRow {
  public:
    CsvRow& add(const std::string& field) {
        text_ += text_.empty() ? "\"" : ",\"";
        for (const char c : field) {
            if (c == '"') text_ += '"';
            text_ += c;
        }
        text_ += '"';
        return *this;
    }
    CsvRow& add(std::uint64_t value) { return add(fmt::format("{}", value)); }
    CsvRow& add_all(const std::vector<std::string>& fields) {
        for (const auto& field : fields) add(field);
        return *this;
    }
    [[nodiscard]] std::string line() const { return text_ + "\n"; }

  private:
    std::string text_;
};

}  // namespace sassafras::cli
