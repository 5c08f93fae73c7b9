#include "sim/execute/atomic_update.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/execute/float_ops.hpp"
#include "sim/execute/small_float.hpp"

namespace sassafras::sim {

namespace {

using Operation = isa::fields::AtomicOperation;
using Type = AtomicElement;
using Action = AtomicAction;
using Shape = AtomicShape;
using Datum = AtomicDatum;

template <class T>
T integer_result(Operation operation, T old, T operand) {
    using Unsigned = std::make_unsigned_t<T>;
    switch (operation) {
        case Operation::add:
        case Operation::safe_add: return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(operand));
        case Operation::min: return std::min(old, operand);
        case Operation::max: return std::max(old, operand);
        case Operation::inc: return old >= operand ? T{0} : static_cast<T>(old + 1);
        case Operation::dec: return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
        case Operation::logical_and: return static_cast<T>(old & operand);
        case Operation::logical_or: return static_cast<T>(old | operand);
        case Operation::logical_xor: return static_cast<T>(old ^ operand);
        case Operation::exchange: return operand;
    }
    return old;
}

std::uint32_t flush_word(std::uint32_t bits) { return (bits & float_exponent) == 0 ? bits & float_sign : bits; }

std::uint32_t add_floats(std::uint32_t a, std::uint32_t b, bool flushes) {
    if (flushes) {
        a = flush_word(a);
        b = flush_word(b);
    }
    const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
    const std::uint32_t bits = std::isnan(sum) ? float_nan : std::bit_cast<std::uint32_t>(sum);
    return flushes ? flush_word(bits) : bits;
}

/// A NaN comes out as it went in, signalling or not; of two, the operand.
std::uint64_t add_doubles(std::uint64_t a, std::uint64_t b) {
    if (std::isnan(std::bit_cast<double>(b))) return b;
    if (std::isnan(std::bit_cast<double>(a))) return a;
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
}

std::uint32_t halves(Operation operation, std::uint32_t a, std::uint32_t b, SmallFormat format) {
    const auto half = [&](unsigned shift) {
        const double x = widen(a >> shift & 0xffffU, format);
        const double y = widen(b >> shift & 0xffffU, format);
        if (operation == Operation::add) return narrow(fused_to_odd(x, 1.0, y), format) << shift;
        if (std::isnan(x) || std::isnan(y)) return narrow(std::isnan(x) ? y : x, format) << shift;
        const bool x_below = x < y || (x == y && std::signbit(x));
        return narrow(x_below == (operation == Operation::min) ? x : y, format) << shift;
    };
    return half(0) | half(16);
}

std::uint64_t wide(const Datum& datum, unsigned at) {
    return datum[at] | static_cast<std::uint64_t>(datum[at + 1]) << 32U;
}

/// One element, the words from `at` on.
void operate(const Shape& shape, unsigned at, const Datum& old, const Datum& operand, Datum& fresh) {
    const std::uint32_t x = old[at];
    const std::uint32_t y = operand[at];
    const auto write = [&](std::uint64_t value) {
        fresh[at] = static_cast<std::uint32_t>(value);
        if (shape.words_an_element() == 2) fresh[at + 1] = static_cast<std::uint32_t>(value >> 32U);
    };
    switch (shape.type) {
        case Type::u32:
        case Type::b32: write(integer_result<std::uint32_t>(shape.operation, x, y)); return;
        case Type::s32:
            write(static_cast<std::uint32_t>(integer_result<std::int32_t>(shape.operation, static_cast<std::int32_t>(x),
                                                                          static_cast<std::int32_t>(y))));
            return;
        case Type::u64:
        case Type::b64: write(integer_result<std::uint64_t>(shape.operation, wide(old, at), wide(operand, at))); return;
        case Type::s64:
            write(static_cast<std::uint64_t>(
                integer_result<std::int64_t>(shape.operation, static_cast<std::int64_t>(wide(old, at)),
                                             static_cast<std::int64_t>(wide(operand, at)))));
            return;
        case Type::f32_flush: write(add_floats(x, y, true)); return;
        case Type::f64: write(add_doubles(wide(old, at), wide(operand, at))); return;
        case Type::f16x2: write(halves(shape.operation, x, y, half_format)); return;
        case Type::bf16x2: write(halves(shape.operation, x, y, bfloat_format)); return;
        case Type::b128: fresh = operand; return;  // exchange
    }
}

}  // namespace

AtomicDatum update(const AtomicShape& shape, std::byte* host, const AtomicDatum& operand, const AtomicDatum& second) {
    const std::size_t size = shape.words() * sizeof(std::uint32_t);
    Datum old{};
    std::memcpy(old.data(), host, size);
    Datum fresh{};
    if (shape.action == Action::operate) {
        for (unsigned element = 0; element < shape.elements; ++element)
            operate(shape, element * shape.words_an_element(), old, operand, fresh);
        std::memcpy(host, fresh.data(), size);
        return old;
    }
    const bool equal = old == operand;
    std::memcpy(host, equal ? second.data() : old.data(), size);
    if (shape.action == Action::store_if_equal) return {equal ? 1U : 0U};  // CAST: whether it stored
    return old;
}

}  // namespace sassafras::sim
