// Tables 6.1 to 6.28 of A. S. Gehrke, "A framework for performance tuning and analysis on parallel computing platforms"
// (2015), as numbers.
#pragma once

#include <span>
#include <string_view>

namespace sassafras::validate {

struct PrintedTables {
    std::string_view name;  ///< "gehrke_tables": of GPUs; "xeon_phi_tables"
    std::string_view json;  ///< {"tables": [...]}: a row each, as printed
};

[[nodiscard]] std::span<const PrintedTables> printed_tables();

}  // namespace sassafras::validate
