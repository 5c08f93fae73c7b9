// Banks and lines of every GPU that has been measured, for tests of what addresses cost.
#pragma once

#include "sim/access/access_analysis.hpp"

namespace sassafras::sim::test {

inline constexpr BankGeometry banks{.banks = 32, .bank_bytes = 4};
inline constexpr LineGeometry lines{.line_bytes = 128, .sector_bytes = 32};

}  // namespace sassafras::sim::test
