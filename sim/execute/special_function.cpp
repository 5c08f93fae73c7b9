#include "sim/execute/special_function.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "isa/sass/fields.hpp"
#include "sim/execute/float_ops.hpp"

namespace sassafras::sim {

namespace {

double flushed(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, value) : value; }

double function_value(isa::fields::MufuFunction function, float operand) {
    using Function = isa::fields::MufuFunction;
    const double x = operand;
    switch (function) {
        // Sine and cosine take the angle in units of 2 pi (RRO has gone; the compiler multiplies by 1 / 2 pi).
        case Function::cos: return std::cos(2.0 * M_PI * (x - std::floor(x)));
        case Function::sin:
            return std::copysign(1.0, x) * std::sin(2.0 * M_PI * std::fabs(flushed(operand) - std::trunc(x)));
        case Function::ex2: return std::exp2(x);
        case Function::lg2: return std::log2(flushed(operand));
        case Function::rcp: return 1.0 / flushed(operand);
        case Function::rsq: return 1.0 / std::sqrt(flushed(operand));
        case Function::sqrt: return std::sqrt(flushed(operand));
        case Function::tanh: return std::tanh(x);
        case Function::rcp64h:
        case Function::rsq64h: break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::uint32_t upper_word(double value) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32U);
}

/// The upper half of a double, 0 for denormals.
std::uint32_t flushed_upper(std::uint32_t bits) {
    constexpr std::uint32_t exponent = 0x7ff0'0000U;
    return (bits & exponent) == 0 ? bits & float_sign : bits;
}

}  // namespace

std::uint32_t mufu(std::uint32_t function, std::uint32_t operand) {
    const auto which = static_cast<isa::fields::MufuFunction>(function);
    if (which == isa::fields::MufuFunction::rcp64h || which == isa::fields::MufuFunction::rsq64h) {
        const std::uint32_t value = flushed_upper(operand);
        const auto wide = std::bit_cast<double>(static_cast<std::uint64_t>(value) << 32U);
        const double result = which == isa::fields::MufuFunction::rcp64h ? 1.0 / wide : 1.0 / std::sqrt(wide);
        return std::isnan(result) ? float_nan : flushed_upper(upper_word(result));
    }
    const auto result = static_cast<float>(function_value(which, std::bit_cast<float>(operand)));
    if (std::isnan(result)) return float_nan;
    const bool keeps_denormals = which == isa::fields::MufuFunction::tanh;
    return std::bit_cast<std::uint32_t>(keeps_denormals ? result : static_cast<float>(flushed(result)));
}

}  // namespace sassafras::sim
