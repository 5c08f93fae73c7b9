// The transcendental unit: special values, and errors within the bounds that the PTX manual states.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "isa/sass/fields.hpp"
#include "sim/execute/float_ops.hpp"
#include "sim/execute/special_function.hpp"

using namespace sassafras;
using Function = isa::fields::MufuFunction;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float denormal = 0x1p-130F;

std::uint32_t bits_of(Function function, float operand) {
    return sim::mufu(static_cast<std::uint32_t>(function), std::bit_cast<std::uint32_t>(operand));
}
float value_of(Function function, float operand) { return std::bit_cast<float>(bits_of(function, operand)); }

/// Sign and value: 0 and -0 differ.
void check(Function function, float operand, float expected) {
    INFO("MUFU " << static_cast<int>(function) << " of " << operand);
    CHECK(bits_of(function, operand) == std::bit_cast<std::uint32_t>(expected));
}

/// The greatest error of `function` over `[from, from * 2^binades)`, relative to the result or absolute.
double greatest_error(Function function, double (*exact)(double), int least_exponent, int binades, bool relative) {
    Random random(17);
    double greatest = 0;
    for (int draw = 0; draw < 200'000; ++draw) {
        const auto exponent = static_cast<std::uint32_t>(127 + least_exponent) +
                              static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(binades)));
        const auto fraction = static_cast<std::uint32_t>(random.next_u64() & 0x7f'ffffU);
        const auto operand = std::bit_cast<float>(exponent << 23U | fraction);
        const double wanted = exact(operand);
        const double error = std::fabs(value_of(function, operand) - wanted);
        greatest = std::max(greatest, relative ? error / std::fabs(wanted) : error);
    }
    return greatest;
}

}  // namespace

TEST_CASE("MUFU of zeros, denormals and infinities") {
    for (const float zero : {0.0F, denormal}) {
        check(Function::rcp, zero, infinity);
        check(Function::rcp, -zero, -infinity);
        check(Function::rsq, zero, infinity);
        check(Function::rsq, -zero, -infinity);
        check(Function::sqrt, zero, 0.0F);
        check(Function::sqrt, -zero, -0.0F);
        check(Function::lg2, zero, -infinity);
        check(Function::lg2, -zero, -infinity);
        check(Function::ex2, -zero, 1.0F);
        check(Function::sin, zero, 0.0F);
        check(Function::sin, -zero, -0.0F);
        check(Function::cos, -zero, 1.0F);
        check(Function::tanh, -zero, -zero);
    }
    check(Function::rcp, -infinity, -0.0F);
    check(Function::rsq, infinity, 0.0F);
    check(Function::sqrt, infinity, infinity);
    check(Function::lg2, infinity, infinity);
    check(Function::ex2, infinity, infinity);
    check(Function::ex2, -infinity, 0.0F);
    check(Function::tanh, -infinity, -1.0F);
}

TEST_CASE("MUFU gives the canonical NaN") {
    for (int number = 0; number <= static_cast<int>(Function::tanh); ++number) {
        const auto function = static_cast<Function>(number);
        INFO(number);
        CHECK(sim::mufu(static_cast<std::uint32_t>(number), 0xfff8'0001U) == sim::float_nan);
        const bool infinite = function == Function::sin || function == Function::cos;
        if (infinite) CHECK(bits_of(function, infinity) == sim::float_nan);
        const bool roots = function == Function::rsq || function == Function::sqrt || function == Function::lg2 ||
                           function == Function::rsq64h;
        if (roots) CHECK(bits_of(function, -4.0F) == sim::float_nan);
    }
}

TEST_CASE("MUFU is exact at powers of two, and flushes what is below the least normal") {
    check(Function::rcp, 4.0F, 0.25F);
    check(Function::rcp, 0x1p126F, 0x1p-126F);
    check(Function::rcp, -0x1p127F, -0.0F);
    check(Function::rsq, 16.0F, 0.25F);
    check(Function::sqrt, 16.0F, 4.0F);
    check(Function::ex2, -126.0F, 0x1p-126F);
    check(Function::ex2, -127.0F, 0.0F);
    check(Function::ex2, 127.0F, 0x1p127F);
    check(Function::ex2, 128.0F, infinity);
    check(Function::lg2, 1024.0F, 10.0F);
    check(Function::lg2, 1.0F, 0.0F);
    check(Function::tanh, denormal, denormal);
    check(Function::tanh, 8.0F, 1.0F);
    // Turns; places below 2^-25 of one are cut off, so at a quarter's end the next smaller place is looked up.
    check(Function::cos, 0.5F, -1.0F);
    check(Function::sin, 0x1p-26F, 0.0F);
    CHECK(value_of(Function::sin, 0x1p-25F) > 0.0F);
}

TEST_CASE("MUFU of FP64 takes and gives upper words") {
    const auto upper = [](Function function, double operand) {
        return sim::mufu(static_cast<std::uint32_t>(function),
                         static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(operand) >> 32U));
    };
    CHECK(upper(Function::rcp64h, -2.0) == 0xbfe0'0000U);
    CHECK(upper(Function::rcp64h, 0x1p1023) == 0U);
    CHECK(upper(Function::rcp64h, 0x1p-1060) == 0x7ff0'0000U);
    CHECK(upper(Function::rsq64h, 16.0) == 0x3fd0'0000U);
    CHECK(upper(Function::rsq64h, -0.0) == 0xfff0'0000U);
}

TEST_CASE("MUFU of 16 bits cuts off, yet overflows to infinity") {
    const auto small = [](Function function, double operand) {
        return sim::mufu(static_cast<std::uint32_t>(function), operand, sim::half_format);
    };
    CHECK(small(Function::ex2, 16.0) == 0x7c00U);
    CHECK(small(Function::ex2, 15.9921875) < 0x7c00U);
    CHECK(small(Function::tanh, 5.0) == 0x3bffU);  // 0.99991; 0x3bff is 0.99951, the next is 1
    CHECK(small(Function::ex2, -24.5) == 0U);
}

// Bounds: PTX ISA, Floating Point Instructions (rcp, rsqrt, sqrt, ex2, lg2, sin, cos, tanh with .approx).
TEST_CASE("MUFU keeps the error bounds that the PTX manual states") {
    CHECK(greatest_error(
              Function::rcp, [](double x) { return 1 / x; }, -20, 40, true) < std::ldexp(1.0, -23));
    CHECK(greatest_error(
              Function::rsq, [](double x) { return 1 / std::sqrt(x); }, -20, 40, true) < std::exp2(-22.9));
    CHECK(greatest_error(
              Function::sqrt, [](double x) { return std::sqrt(x); }, -20, 40, true) <= std::exp2(-23));
    CHECK(greatest_error(
              Function::ex2, [](double x) { return std::exp2(x); }, -20, 22, true) < std::exp2(-22));
    CHECK(greatest_error(
              Function::lg2, [](double x) { return std::log2(x); }, -1, 2, false) < std::exp2(-22));
    CHECK(greatest_error(
              Function::lg2, [](double x) { return std::log2(x); }, 1, 60, true) < std::exp2(-22));
    CHECK(greatest_error(
              Function::sin, [](double x) { return std::sin(2 * M_PI * x); }, -20, 19, false) < std::exp2(-20.5));
    CHECK(greatest_error(
              Function::cos, [](double x) { return std::cos(2 * M_PI * x); }, -20, 19, false) < std::exp2(-20.5));
    CHECK(greatest_error(
              Function::tanh, [](double x) { return std::tanh(x); }, -20, 24, true) < std::exp2(-11));
}
