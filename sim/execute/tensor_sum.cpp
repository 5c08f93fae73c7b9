#include "sim/execute/tensor_sum.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace sassafras::sim {

namespace {

struct FloatFormat {
    int exponent_bits;
    int fraction_bits;
    [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] constexpr std::uint32_t infinity() const { return ((1U << exponent_bits) - 1U) << fraction_bits; }
    [[nodiscard]] constexpr std::uint32_t sign() const { return 1U << (exponent_bits + fraction_bits); }
    [[nodiscard]] constexpr std::uint32_t canonical_nan() const { return sign() - 1U; }
};
constexpr FloatFormat half{5, 10};
constexpr FloatFormat single{8, 23};
constexpr FloatFormat tf32{8, 10};
constexpr FloatFormat bfloat{8, 7};

constexpr FloatFormat format_of(TensorOperand operand) {
    switch (operand) {
        case TensorOperand::half: return half;
        case TensorOperand::bfloat: return bfloat;
        case TensorOperand::tf32: break;
    }
    return tf32;
}

TensorNumber take_apart(std::uint32_t bits, const FloatFormat& format) {
    const std::uint32_t top = (1U << format.exponent_bits) - 1U;
    const std::uint32_t exponent = bits >> format.fraction_bits & top;
    const std::uint32_t fraction = bits & ((1U << format.fraction_bits) - 1U);
    TensorNumber number;
    number.negative = (bits & format.sign()) != 0;
    if (exponent == top) {
        number.infinite = fraction == 0;
        number.nan = fraction != 0;
        return number;
    }
    number.significand = exponent == 0 ? fraction : fraction | 1U << format.fraction_bits;
    number.exponent = static_cast<std::int32_t>(std::max(exponent, 1U)) - format.bias();
    return number;
}

constexpr std::int32_t no_exponent = std::numeric_limits<std::int32_t>::min();

struct Sum {
    std::int64_t value = 0;               ///< in units of 2^lowest
    std::int32_t exponent = no_exponent;  ///< the largest of what is not zero
    std::int32_t lowest = 0;              ///< exponent of the last place that is kept
    bool nan = false;
    bool positive_infinity = false;
    bool negative_infinity = false;

    void note(bool negative) { (negative ? negative_infinity : positive_infinity) = true; }
    /// Adds magnitude * 2^at, cut.
    void add(std::uint64_t magnitude, bool negative, std::int32_t at) {
        if (magnitude == 0) return;  // its exponent was not surveyed
        const std::int32_t left = at - lowest;
        const std::uint64_t cut = left >= 0 ? magnitude << left : left > -64 ? magnitude >> -left : 0;
        value += negative ? -static_cast<std::int64_t>(cut) : static_cast<std::int64_t>(cut);
    }
};

/// Infinities, NaNs and the largest exponent.
void survey(Sum& sum, std::span<const TensorNumber> a, std::span<const TensorNumber> b, const TensorNumber& c) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum.nan = sum.nan || a[i].nan || b[i].nan;
        const bool is_zero = (a[i].significand == 0 && !a[i].infinite) || (b[i].significand == 0 && !b[i].infinite);
        if (a[i].infinite || b[i].infinite) {
            sum.nan = sum.nan || is_zero;
            sum.note(a[i].negative != b[i].negative);
        } else if (!is_zero) {
            sum.exponent = std::max(sum.exponent, a[i].exponent + b[i].exponent);
        }
    }
    sum.nan = sum.nan || c.nan;
    if (c.infinite) sum.note(c.negative);
    if (c.significand != 0) sum.exponent = std::max(sum.exponent, c.exponent);
    sum.nan = sum.nan || (sum.positive_infinity && sum.negative_infinity);
}

Sum add(std::span<const TensorNumber> a, std::span<const TensorNumber> b, int fraction_bits, const TensorNumber& c,
        int c_fraction_bits, std::int32_t alignment_bits) {
    Sum sum;
    survey(sum, a, b, c);
    if (sum.exponent == no_exponent || sum.nan || sum.positive_infinity || sum.negative_infinity) return sum;
    sum.lowest = sum.exponent - alignment_bits;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum.add(std::uint64_t{a[i].significand} * b[i].significand, a[i].negative != b[i].negative,
                a[i].exponent + b[i].exponent - 2 * fraction_bits);
    sum.add(c.significand, c.negative, c.exponent - c_fraction_bits);
    return sum;
}

/// Cut, or rounded to nearest even. What becomes zero is +0; what is too large becomes infinite.
std::uint32_t put_together(const Sum& sum, const FloatFormat& format, bool rounds) {
    if (sum.nan) return format.canonical_nan();
    if (sum.positive_infinity) return format.infinity();
    if (sum.negative_infinity) return format.sign() | format.infinity();
    if (sum.value == 0) return 0;
    const bool negative = sum.value < 0;
    const std::uint64_t magnitude =
        negative ? 0 - static_cast<std::uint64_t>(sum.value) : static_cast<std::uint64_t>(sum.value);
    const std::int32_t least = 1 - format.bias();
    const std::int32_t exponent =
        std::max(least, sum.lowest + 63 - static_cast<std::int32_t>(std::countl_zero(magnitude)));
    const std::int32_t drop = exponent - format.fraction_bits - sum.lowest;
    std::uint64_t kept = drop <= 0 ? magnitude << -drop : drop < 64 ? magnitude >> drop : 0;
    if (rounds && drop > 0 && drop < 64) {
        const std::uint64_t rest = magnitude & ((std::uint64_t{1} << drop) - 1);
        const std::uint64_t tie = std::uint64_t{1} << (drop - 1);
        if (rest > tie || (rest == tie && (kept & 1U) != 0)) ++kept;
    }
    // The leading one, and a carry out of the fraction, add into the exponent.
    const std::uint64_t bits = kept + (static_cast<std::uint64_t>(exponent - least) << format.fraction_bits);
    if (bits == 0) return 0;
    return (negative ? format.sign() : 0U) |
           static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, format.infinity()));
}

std::uint32_t sum_in_steps(std::span<const TensorNumber> a, std::span<const TensorNumber> b,
                           const FloatFormat& operands, std::uint32_t accumulator, const FloatFormat& result,
                           bool rounds, const TensorArithmetic& arithmetic) {
    for (std::size_t at = 0; at < a.size(); at += arithmetic.products_a_step) {
        const std::size_t count = std::min<std::size_t>(arithmetic.products_a_step, a.size() - at);
        accumulator =
            put_together(add(a.subspan(at, count), b.subspan(at, count), operands.fraction_bits,
                             take_apart(accumulator, result), result.fraction_bits, arithmetic.alignment_bits),
                         result, rounds);
    }
    return accumulator;
}

}  // namespace

TensorNumber tensor_number(std::uint32_t bits, TensorOperand format) {
    constexpr std::uint32_t unused_bits = 13;  // of FP32 in TF32
    return take_apart(format == TensorOperand::tf32 ? bits >> unused_bits : bits, format_of(format));
}

TensorArithmetic tensor_arithmetic(isa::Architecture architecture, TensorOperand format) {
    struct Generation {
        isa::Architecture first;
        TensorArithmetic of_halves;
    };
    constexpr Generation generations[] = {
        {isa::Architecture::sm_90, {16, 25}}, {isa::Architecture::sm_80, {8, 24}}, {isa::Architecture::sm_75, {4, 23}}};
    TensorArithmetic found;
    for (const Generation& generation : generations) {
        found = generation.of_halves;
        if (architecture >= generation.first) break;
    }
    if (format == TensorOperand::tf32) found.products_a_step /= 2;
    return found;
}

std::uint32_t tensor_sum_single(std::span<const TensorNumber> a, std::span<const TensorNumber> b, TensorOperand format,
                                std::uint32_t accumulator, const TensorArithmetic& arithmetic) {
    return sum_in_steps(a, b, format_of(format), accumulator, single, false, arithmetic);
}

std::uint32_t tensor_sum_half(std::span<const TensorNumber> a, std::span<const TensorNumber> b,
                              std::uint32_t accumulator, const TensorArithmetic& arithmetic) {
    return sum_in_steps(a, b, half, accumulator, half, true, arithmetic);
}

}  // namespace sassafras::sim
