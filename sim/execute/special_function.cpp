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
        case Function::sin: return std::sin(2.0 * M_PI * (x - std::trunc(x)));
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

}  // namespace

std::uint32_t mufu(std::uint32_t function, std::uint32_t operand) {
    const auto which = static_cast<isa::fields::MufuFunction>(function);
    if (which == isa::fields::MufuFunction::rcp64h || which == isa::fields::MufuFunction::rsq64h) {
        const auto value = std::bit_cast<double>(static_cast<std::uint64_t>(operand) << 32U);
        if (std::isnan(value)) return float_nan;
        return upper_word(which == isa::fields::MufuFunction::rcp64h ? 1.0 / value : 1.0 / std::sqrt(value));
    }
    const auto result = static_cast<float>(function_value(which, std::bit_cast<float>(operand)));
    return std::isnan(result) ? float_nan : std::bit_cast<std::uint32_t>(result);
}

}  // namespace sassafras::sim
