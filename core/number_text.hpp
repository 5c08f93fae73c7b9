// Numbers as people read them: grouped digits, two decimals, a unit of fitting size. Programs get them exact elsewhere.
#pragma once

#include <cstdint>
#include <string>

namespace sassafras {

/// 1234567 -> "1,234,567"
[[nodiscard]] std::string grouped(std::uint64_t value);

/// Whole numbers grouped; any other with two decimals, or two significant digits where those would say 0.00.
[[nodiscard]] std::string rounded(double value);

struct Quantity {
    std::string value;
    std::string unit;
};

/// A number of `unit`; "byte", "byte/s", "byte/block", "hz" and "ns" become larger units where the number is large (1
/// Kbyte is 1000 bytes, as in Nsight Compute).
[[nodiscard]] Quantity quantity(double value, const std::string& unit);

}  // namespace sassafras
