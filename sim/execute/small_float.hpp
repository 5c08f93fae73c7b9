// FP16 and BF16: exact widening to double, and narrowing from double with one rounding.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sassafras::sim {

struct SmallFormat {
    int fraction_bits;
    int exponent_bits;
    [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] constexpr std::uint32_t infinity() const { return ((1U << exponent_bits) - 1U) << fraction_bits; }
};
inline constexpr SmallFormat half_format{10, 5};
inline constexpr SmallFormat bfloat_format{7, 8};
inline constexpr std::uint32_t small_nan = 0x7fff;  ///< of both formats
inline constexpr std::uint32_t small_sign = 0x8000;
inline constexpr std::uint64_t quiet_nan_bits = 0x7ff8'0000'0000'0000U;  ///< of a double

[[nodiscard]] inline double widen(std::uint32_t bits, SmallFormat format) {
    const std::uint32_t fraction = bits & ((1U << format.fraction_bits) - 1U);
    const std::uint32_t exponent = (bits & 0x7fffU) >> format.fraction_bits;
    double value = 0;
    if (exponent == (1U << format.exponent_bits) - 1U)
        value = fraction != 0 ? std::bit_cast<double>(quiet_nan_bits | static_cast<std::uint64_t>(fraction)
                                                                           << (52 - format.fraction_bits))
                              : std::numeric_limits<double>::infinity();
    else if (exponent == 0)
        value = std::ldexp(fraction, 1 - format.bias() - format.fraction_bits);
    else
        value = std::ldexp(fraction + (1U << format.fraction_bits),
                           static_cast<int>(exponent) - format.bias() - format.fraction_bits);
    return (bits & small_sign) != 0 ? -value : value;
}

enum class SmallRounding : std::uint8_t { nearest, down, up, zero };  ///< numbered as instructions number them

/// |value| in units of the format's last place at its exponent, rounded, as the bits below the sign. May exceed the
/// largest number.
[[nodiscard]] inline std::int64_t rounded_magnitude(double value, SmallFormat format, SmallRounding mode) {
    const double magnitude = std::fabs(value);
    if (magnitude == 0) return 0;
    const int smallest = 1 - format.bias();
    const int exponent = std::max(std::ilogb(magnitude), smallest);
    const double scaled = std::ldexp(magnitude, format.fraction_bits - exponent);  // exact: only the exponent changes
    const bool away = mode == (std::signbit(value) ? SmallRounding::down : SmallRounding::up);
    const double rounded = mode == SmallRounding::nearest ? std::nearbyint(scaled)
                           : away                         ? std::ceil(scaled)
                                                          : std::floor(scaled);
    // The hidden bit and a carry out of the fraction both add into the exponent field.
    return (static_cast<std::int64_t>(exponent - smallest) << format.fraction_bits) +
           static_cast<std::int64_t>(rounded);
}

/// To 16 bits, with one rounding. NaNs are canonical; what is too large becomes infinity, or the largest number where
/// the mode rounds towards zero.
[[nodiscard]] inline std::uint32_t narrow(double value, SmallFormat format,
                                          SmallRounding mode = SmallRounding::nearest) {
    if (std::isnan(value)) return small_nan;
    const std::uint32_t sign = std::signbit(value) ? small_sign : 0U;
    if (std::isinf(value)) return sign | format.infinity();
    const std::int64_t bits = rounded_magnitude(value, format, mode);
    if (bits >= static_cast<std::int64_t>(format.infinity())) {
        const bool away =
            mode == SmallRounding::nearest || mode == (std::signbit(value) ? SmallRounding::down : SmallRounding::up);
        return sign | (away ? format.infinity() : format.infinity() - 1U);
    }
    return sign | static_cast<std::uint32_t>(bits);
}

/// a * b + c rounded to odd in double: narrowing it rounds as the exact value would. The product must be exact in
/// double.
[[nodiscard]] inline double fused_to_odd(double a, double b, double c) {
    const double product = a * b;
    const double sum = product + c;
    if (!std::isfinite(sum)) return sum;
    const double back = sum - product;
    const double error = (product - (sum - back)) + (c - back);
    if (error == 0 || (std::bit_cast<std::uint64_t>(sum) & 1U) != 0) return sum;
    return std::nextafter(
        sum, error > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
}

}  // namespace sassafras::sim
