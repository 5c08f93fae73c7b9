#include "sim/execute/special_function.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "isa/sass/fields.hpp"
#include "sim/execute/float_ops.hpp"
#include "sim/execute/special_function_tables.hpp"

namespace sassafras::sim {

namespace {

constexpr unsigned place_bits = 17;  ///< of the place within a segment
constexpr unsigned fraction_bits = 23;
constexpr std::uint32_t hidden_bit = 1U << fraction_bits;
constexpr std::uint32_t fraction_mask = hidden_bit - 1;
constexpr int bias = 127;
constexpr int special_exponent = 255;

struct Parts {
    explicit Parts(std::uint32_t bits)
        : sign(bits & float_sign),
          exponent(static_cast<int>(bits >> fraction_bits & 0xffU)),
          fraction(bits & fraction_mask) {}
    [[nodiscard]] bool is_nan() const { return exponent == special_exponent && fraction != 0; }
    [[nodiscard]] bool is_infinite() const { return exponent == special_exponent && fraction == 0; }

    std::uint32_t sign;
    int exponent;
    std::uint32_t fraction;
};

/// place^2 / 2^19 as hardware forms it: without the products of two of its bits that weigh less than 2^18. So the upper
/// eight bits are squared whole, the lower nine not at all, and each product of an upper and a lower bit comes twice.
std::uint32_t truncated_square(std::uint32_t place) {
    const std::uint32_t upper = place >> 9U;
    const std::uint32_t lower = place & 0x1ffU;
    std::uint32_t sum = upper * upper >> 1U;
    for (unsigned bit = 1; bit < 8; ++bit) sum += (lower >> (9U - bit)) & (0U - (upper >> bit & 1U));
    return sum;
}

/// The parabola of a segment. `shift` scales the constant to slope * place.
std::int64_t interpolate(const CurveSegment& segment, std::uint32_t place, unsigned shift) {
    return (static_cast<std::int64_t>(segment.constant) << shift) + static_cast<std::int64_t>(segment.slope) * place +
           static_cast<std::int64_t>(segment.curvature) * truncated_square(place);
}

/// Of a table of 64 segments to a binade (or of two such, one after the other): `argument` is the fraction.
std::int64_t interpolate(std::span<const CurveSegment> table, std::uint32_t argument, unsigned shift) {
    return interpolate(table[argument >> place_bits], argument & ((1U << place_bits) - 1U), shift);
}

/// A fixed-point number greater than 0 as a float, cut off. `one` is the number of the bit that stands for 1.
std::uint32_t truncated_to_float(std::uint64_t value, int one) {
    const int top = 63 - std::countl_zero(value);
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): it takes the value for 0
    const std::uint64_t significand = value << (63 - top) >> (63U - fraction_bits);
    return (static_cast<std::uint32_t>(top - one + bias - 1) << fraction_bits) +
           static_cast<std::uint32_t>(significand);
}

/// 1 / x of x in [1, 2), with 24 bits after the point.
std::uint32_t reciprocal_of_significand(std::uint32_t fraction) {
    const std::uint32_t place = fraction << 1U & ((1U << place_bits) - 1U);  // segments half as wide as elsewhere
    return static_cast<std::uint32_t>((interpolate(reciprocal_segments[fraction >> 16U], place, 14) + 0x8fce) >> 16U);
}

/// 1 / sqrt(x) of x in [1, 4), with 24 bits after the point. `odd`: of [2, 4).
std::uint32_t reciprocal_root_of_significand(std::uint32_t fraction, bool odd) {
    if (fraction == 0 && !odd) return 2 * hidden_bit;  // the table would give 1 - 2^-24
    const std::uint32_t argument = fraction | (odd ? hidden_bit : 0);
    return static_cast<std::uint32_t>((interpolate(reciprocal_root_segments, argument, 14) + 0x7fff) >> 16U);
}

/// sign, biased exponent and a significand of [1, 2] with 23 bits after the point; flushed to 0 below the least normal.
std::uint32_t flushed_result(std::uint32_t sign, int exponent, std::uint32_t significand) {
    const int carried = exponent + static_cast<int>(significand >> (fraction_bits + 1));
    if (carried <= 0) return sign;
    return sign | ((static_cast<std::uint32_t>(exponent) << fraction_bits) + (significand - hidden_bit));
}

std::uint32_t reciprocal(const Parts& x) {
    if (x.is_nan()) return float_nan;
    if (x.exponent == 0) return x.sign | float_exponent;
    if (x.exponent == special_exponent) return x.sign;
    return flushed_result(x.sign, 2 * bias - 1 - x.exponent, reciprocal_of_significand(x.fraction));
}

std::uint32_t reciprocal_root(const Parts& x) {
    if (x.exponent == 0) return x.sign | float_exponent;
    if (x.is_nan() || x.sign != 0) return float_nan;
    if (x.is_infinite()) return 0;
    const int power = x.exponent - bias;
    return flushed_result(0, bias - 1 - (power >> 1), reciprocal_root_of_significand(x.fraction, (power & 1) != 0));
}

std::uint32_t root(const Parts& x) {
    if (x.exponent == 0) return x.sign;
    if (x.is_nan() || x.sign != 0) return float_nan;
    if (x.is_infinite()) return float_exponent;
    const int power = x.exponent - bias;
    const std::uint32_t argument = x.fraction | ((power & 1) != 0 ? hidden_bit : 0);
    const std::int64_t value = (interpolate(root_segments, argument, 15) + 0x7fff) >> 17U;
    return flushed_result(0, bias + (power >> 1), static_cast<std::uint32_t>(value));
}

/// |x| * 2^places, cut off, modulo 2^32; 0 of denormals.
std::uint32_t fixed_point(const Parts& x, int places) {
    if (x.exponent == 0) return 0;
    const std::uint32_t significand = x.fraction | hidden_bit;
    const int shift = x.exponent - bias - static_cast<int>(fraction_bits) + places;
    if (shift >= 0) return shift < 32 ? significand << static_cast<unsigned>(shift) : 0;
    return shift > -32 ? significand >> static_cast<unsigned>(-shift) : 0;
}

std::uint32_t exponential(const Parts& x) {
    if (x.is_nan()) return float_nan;
    if (x.exponent >= bias + 7) return x.sign != 0 ? 0 : float_exponent;
    const std::uint32_t magnitude = fixed_point(x, fraction_bits);
    std::uint32_t argument = magnitude;
    // Negative numbers are complemented, which is one too little, but for whole ones.
    if (x.sign != 0) argument = (magnitude & fraction_mask) != 0 ? ~magnitude : 0U - magnitude;
    const int whole = static_cast<std::int32_t>(argument) >> fraction_bits;
    const std::int64_t value = (interpolate(exponential_segments, argument & fraction_mask, 13) + 0x77e2) >> 15U;
    return flushed_result(0, bias + whole, static_cast<std::uint32_t>(value));
}

std::uint32_t logarithm(const Parts& x) {
    if (x.exponent == 0) return float_sign | float_exponent;
    if (x.is_nan() || x.sign != 0) return float_nan;
    if (x.is_infinite()) return float_exponent;
    if (x.exponent == bias && x.fraction == 0) return 0;
    constexpr int one = 36;
    const std::int64_t value = (static_cast<std::int64_t>(x.exponent - bias) << one) +
                               ((interpolate(logarithm_segments, x.fraction, 12) + 0x3345) >> 2U);
    // Negative numbers are complemented here too.
    return value < 0 ? float_sign | truncated_to_float(static_cast<std::uint64_t>(~value), one)
                     : truncated_to_float(static_cast<std::uint64_t>(value), one);
}

/// The angle is in turns: RRO has gone, the compiler multiplies by 1 / (2 pi).
std::uint32_t sine(const Parts& x, bool cosine) {
    if (x.exponent == special_exponent) return float_nan;
    const std::uint32_t angle = fixed_point(x, fraction_bits + 2);
    const std::uint32_t quadrant = (angle >> fraction_bits) + (cosine ? 1U : 0U);
    const std::uint32_t sign = ((quadrant & 2U) << 30U) ^ (cosine ? 0U : x.sign);
    const std::uint32_t argument = ((quadrant & 1U) != 0 ? ~angle : angle) & fraction_mask;
    const std::int64_t value = interpolate(sine_segments, argument, 11);
    return value == 0 ? sign : sign | truncated_to_float(static_cast<std::uint64_t>(value), 37);
}

std::uint32_t hyperbolic_tangent(const Parts& x) {
    // Binades by their exponent, from [2^-8, 2^-7): 2^segment_bits segments each.
    struct Binade {
        std::uint8_t segment_bits;
        std::uint8_t first_segment;
    };
    constexpr Binade binades[] = {{0, 0},  {0, 1},  {0, 2},  {1, 3},  {1, 5}, {2, 7},
                                  {2, 11}, {2, 15}, {3, 19}, {4, 27}, {3, 43}};
    constexpr int least = bias - 8;
    if (x.is_nan()) return float_nan;
    if (x.exponent < least) return x.sign | static_cast<std::uint32_t>(x.exponent) << fraction_bits | x.fraction;
    if (x.exponent > bias + 2) return x.sign | bias << fraction_bits;
    const Binade binade = binades[x.exponent - least];
    const unsigned width = fraction_bits - binade.segment_bits;
    const std::uint32_t place = (x.fraction & ((1U << width) - 1U)) >> (width - place_bits);
    const CurveSegment& segment = tangent_segments[binade.first_segment + (x.fraction >> width)];
    const std::int64_t value = interpolate(segment, place, 16);
    const int one = 40 + bias - std::min(x.exponent, bias);
    return x.sign | truncated_to_float(static_cast<std::uint64_t>(value), one);
}

/// Of FP64 only the upper word goes in and comes out: 20 bits of fraction.
namespace wide {

constexpr unsigned fraction_bits = 20;
constexpr std::uint32_t fraction_mask = (1U << fraction_bits) - 1;
constexpr std::uint32_t exponent_mask = 0x7ff0'0000U;
constexpr int bias = 1023;
constexpr int special_exponent = 2047;
constexpr unsigned missing = sim::fraction_bits - fraction_bits;

/// `significand` as reciprocal_of_significand() gives it.
std::uint32_t flushed_result(std::uint32_t sign, int exponent, std::uint32_t significand) {
    const int carried = exponent + static_cast<int>(significand >> (sim::fraction_bits + 1));
    if (carried <= 0) return sign;
    return sign | ((static_cast<std::uint32_t>(exponent) << fraction_bits) + ((significand - hidden_bit) >> missing));
}

std::uint32_t reciprocal(std::uint32_t upper, bool of_root) {
    const std::uint32_t sign = upper & float_sign;
    const int exponent = static_cast<int>((upper & exponent_mask) >> fraction_bits);
    const std::uint32_t fraction = upper & fraction_mask;
    if (exponent == special_exponent && fraction != 0) return float_nan;
    if (exponent == 0) return sign | exponent_mask;
    if (of_root && sign != 0) return float_nan;
    if (exponent == special_exponent) return sign;
    const std::uint32_t widened = fraction << missing;
    if (!of_root) return flushed_result(sign, 2 * bias - 1 - exponent, reciprocal_of_significand(widened));
    const int power = exponent - bias;
    return flushed_result(0, bias - 1 - (power >> 1), reciprocal_root_of_significand(widened, (power & 1) != 0));
}

}  // namespace wide

}  // namespace

std::uint32_t mufu(std::uint32_t function, std::uint32_t operand) {
    using Function = isa::fields::MufuFunction;
    const Parts x(operand);
    switch (static_cast<Function>(function)) {
        case Function::cos: return sine(x, true);
        case Function::sin: return sine(x, false);
        case Function::ex2: return exponential(x);
        case Function::lg2: return logarithm(x);
        case Function::rcp: return reciprocal(x);
        case Function::rsq: return reciprocal_root(x);
        case Function::sqrt: return root(x);
        case Function::tanh: return hyperbolic_tangent(x);
        case Function::rcp64h: return wide::reciprocal(operand, false);
        case Function::rsq64h: return wide::reciprocal(operand, true);
    }
    return float_nan;
}

std::uint32_t mufu(std::uint32_t function, double operand, SmallFormat format) {
    const auto exact = std::bit_cast<std::uint32_t>(static_cast<float>(operand));
    const auto result = std::bit_cast<float>(mufu(function, exact));
    // The fraction is cut off, yet what is too large does not become the largest number.
    if (std::fabs(result) >= std::ldexp(1.0, format.bias() + 1))
        return (std::signbit(result) ? small_sign : 0U) | format.infinity();
    return narrow(result, format, SmallRounding::zero);
}

}  // namespace sassafras::sim
