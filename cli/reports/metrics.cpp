#include <fmt/format.h>

#include <cmath>

#include "cli/reports/report.hpp"

namespace sassafras::cli {

std::string version() { return SASSAFRAS_VERSION; }

std::string extents(const Dim3& size) { return fmt::format("({}, {}, {})", size.x, size.y, size.z); }

std::string number_text(double value) {
    constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53
    if (value == std::trunc(value) && std::abs(value) <= largest_exact_integer)
        return fmt::format("{}", static_cast<std::int64_t>(value));
    return fmt::format("{}", value);
}

}  // namespace sassafras::cli
