#include "core/number_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace sassafras {

namespace {

constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53
constexpr std::size_t group_digits = 3;
constexpr double thousand = 1000;

std::string with_separators(std::string digits) {
    for (std::size_t at = digits.size(); at > group_digits;) digits.insert(at -= group_digits, ",");
    return digits;
}

struct Scale {
    const char* base;
    std::array<const char*, 5> units;  ///< nullptr behind the largest
};

constexpr std::array<Scale, 5> scales{{{"byte", {"byte", "Kbyte", "Mbyte", "Gbyte"}},
                                       {"byte/s", {"byte/s", "Kbyte/s", "Mbyte/s", "Gbyte/s", "Tbyte/s"}},
                                       {"byte/block", {"byte/block", "Kbyte/block", "Mbyte/block", "Gbyte/block"}},
                                       {"hz", {"hz", "Khz", "Mhz", "Ghz"}},
                                       {"ns", {"ns", "us", "ms", "s"}}}};

}  // namespace

std::string grouped(std::uint64_t value) { return with_separators(std::to_string(value)); }

std::string rounded(double value) {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    const double size = std::abs(value);
    const std::string sign = std::signbit(value) && size != 0 ? "-" : "";
    if (size == std::trunc(size) && size <= largest_exact_integer)
        return sign + grouped(static_cast<std::uint64_t>(size));
    constexpr double least_shown = 0.005;
    if (size < least_shown) return sign + fmt::format("{:.2g}", size);
    const std::string text = fmt::format("{:.2f}", size);
    const std::size_t point = text.find('.');
    return sign + with_separators(text.substr(0, point)) + text.substr(point);
}

Quantity quantity(double value, const std::string& unit) {
    for (const Scale& scale : scales) {
        if (unit != scale.base) continue;
        std::size_t step = 0;
        while (step + 1 < scale.units.size() && scale.units[step + 1] != nullptr && std::abs(value) >= thousand) {
            value /= thousand;
            ++step;
        }
        return {rounded(value), scale.units[step]};
    }
    return {rounded(value), unit};
}

}  // namespace sassafras
