// Conversions between integers and floating point, and rounding to integers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/execute/float_ops.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/small_float.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

constexpr isa::Field float_destination{75, 3};  ///< Format
constexpr isa::Field float_source{84, 3};
constexpr isa::Field i2i_format{76, 2};

enum class Format : std::uint32_t { f16 = 1, f32 = 2, f64 = 3, bf16 = 4 };

// m0: bits 0..1 rounding, 2 flush, 3 NaN to zero, 4 signed integer, 5..6 log2 size of the integer, 8..10 source format,
//     11..13 destination format, 14 negate, 15 absolute value, 16..17 byte select, 18 source in the upper half
constexpr std::uint32_t upper_half = 1U << 18U;
std::uint32_t rounding(const MicroOp& op) { return op.m0 & 3U; }
bool is_signed(const MicroOp& op) { return (op.m0 & 16U) != 0; }
std::uint32_t integer_bits(const MicroOp& op) { return 8U << (op.m0 >> 5U & 3U); }
Format source_format(const MicroOp& op) { return static_cast<Format>(op.m0 >> 8U & 7U); }
Format destination_format(const MicroOp& op) { return static_cast<Format>(op.m0 >> 11U & 7U); }

std::uint32_t small_source(const MicroOp& op, std::uint32_t bits) {
    return (op.m0 & upper_half) != 0 ? bits >> 16U : bits & 0xffffU;
}

double read_float(const MicroOp& op, const std::uint32_t* a, int lane) {
    double value = 0;
    switch (source_format(op)) {
        case Format::f16: value = widen(small_source(op, a[lane]), half_format); break;
        case Format::bf16: value = widen(small_source(op, a[lane]), bfloat_format); break;
        case Format::f32: {
            std::uint32_t bits = a[lane];
            if ((op.m0 & 4U) != 0 && (bits & float_exponent) == 0) bits &= float_sign;
            value = std::bit_cast<float>(bits);
            break;
        }
        case Format::f64: value = std::bit_cast<double>(read_pair(a, lane)); break;
    }
    if (source_format(op) == Format::f64 && std::isnan(value)) return value;  // its sign stays
    if ((op.m0 & 1U << 15U) != 0) value = std::fabs(value);
    if ((op.m0 & 1U << 14U) != 0) value = -value;
    return value;
}

/// A NaN of FP64 in a narrower format: its sign and the upper bits of its payload. Other sources give canonical NaNs.
std::uint32_t narrow_nan(double value, int fraction_bits, int bits) {
    const auto wide = std::bit_cast<std::uint64_t>(value) | quiet_nan_bits;
    const std::uint64_t below_sign = wide << 1U >> 1U;
    const std::uint64_t exponent_and_fraction =
        (below_sign >> (52 - fraction_bits)) & ((std::uint64_t{1} << (bits - 1)) - 1);
    return static_cast<std::uint32_t>((wide >> 63U) << (bits - 1) | exponent_and_fraction);
}

double to_integral(double value, std::uint32_t mode) {
    switch (static_cast<fields::Rounding>(mode)) {
        case fields::Rounding::nearest: return std::nearbyint(value);
        case fields::Rounding::down: return std::floor(value);
        case fields::Rounding::up: return std::ceil(value);
        case fields::Rounding::zero: return std::trunc(value);
    }
    return value;
}

/// Writes `value` in the destination format, rounded once.
void write_float(const MicroOp& op, std::uint32_t* d, int lane, double value) {
    if (source_format(op) == Format::f64 && std::isnan(value)) {
        switch (destination_format(op)) {
            case Format::f16: d[lane] = narrow_nan(value, half_format.fraction_bits, 16); return;
            case Format::bf16: d[lane] = narrow_nan(value, bfloat_format.fraction_bits, 16); return;
            case Format::f32: d[lane] = narrow_nan(value, 23, 32); return;
            case Format::f64: write_pair(d, lane, std::bit_cast<std::uint64_t>(value) | quiet_nan_bits); return;
        }
    }
    switch (destination_format(op)) {
        case Format::f16: d[lane] = narrow(value, half_format, static_cast<SmallRounding>(rounding(op))); return;
        case Format::bf16: d[lane] = narrow(value, bfloat_format, static_cast<SmallRounding>(rounding(op))); return;
        case Format::f32: {
            const RoundingScope scope(rounding(op));
            opaque(value);
            auto result = static_cast<float>(value);
            opaque(result);
            std::uint32_t bits = std::isnan(result) ? float_nan : std::bit_cast<std::uint32_t>(result);
            if ((op.m0 & 4U) != 0 && (bits & float_exponent) == 0) bits &= float_sign;
            d[lane] = bits;
            return;
        }
        case Format::f64: write_pair(d, lane, std::bit_cast<std::uint64_t>(value)); return;
    }
}

/// Out of range clamps; NaN gives 0 where the instruction says so (.NTZ) or the type is narrow, else the sign bit
/// alone.
void float_to_integer(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t bits = integer_bits(op);
    const double limit = std::ldexp(1.0, static_cast<int>(is_signed(op) ? bits - 1 : bits));
    for_each_lane(mask, [&](int lane) {
        const double value = to_integral(read_float(op, a, lane), rounding(op));
        std::uint64_t result = 0;
        const std::uint64_t most =
            is_signed(op) ? (std::uint64_t{1} << (bits - 1)) - 1U : ~std::uint64_t{0} >> (64U - bits);
        const std::uint64_t least = is_signed(op) ? ~most : 0U;
        if (std::isnan(value))
            result = (op.m0 & 8U) != 0 ? 0U : std::uint64_t{1} << (bits - 1);
        else if (value >= limit)
            result = most;
        else if (value < (is_signed(op) ? -limit : 0.0))
            result = least;
        else if (is_signed(op))
            result = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
        else
            result = static_cast<std::uint64_t>(value);
        if (bits == 64)
            write_pair(d, lane, result);
        else
            d[lane] = static_cast<std::uint32_t>(result);
    });
}

void integer_to_float(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t bits = integer_bits(op);
    for_each_lane(mask, [&](int lane) {
        std::uint64_t raw = bits == 64 ? read_pair(a, lane)
                                       : a[lane] >> (bits == 8    ? 8U * (op.m0 >> 16U & 3U)
                                                     : bits == 16 ? 16U * (op.m0 >> 16U & 1U)
                                                                  : 0U);
        raw <<= 64U - bits;
        std::int64_t value = static_cast<std::int64_t>(raw) >> (64U - bits);
        std::uint64_t magnitude = is_signed(op) ? static_cast<std::uint64_t>(value) : raw >> (64U - bits);
        const RoundingScope scope(rounding(op));
        if (destination_format(op) == Format::f32) {
            opaque(value);
            opaque(magnitude);
            float result = is_signed(op) ? static_cast<float>(value) : static_cast<float>(magnitude);
            opaque(result);
            d[lane] = std::bit_cast<std::uint32_t>(result);
        } else if (destination_format(op) == Format::f64) {
            opaque(value);
            opaque(magnitude);
            double result = is_signed(op) ? static_cast<double>(value) : static_cast<double>(magnitude);
            opaque(result);
            write_pair(d, lane, std::bit_cast<std::uint64_t>(result));
        } else {
            // To 11 bits or fewer: a sticky bit in the last place of the double keeps the single rounding right.
            const std::uint64_t size = is_signed(op) && value < 0 ? 0U - static_cast<std::uint64_t>(value) : magnitude;
            const int drop = std::max(0, 64 - std::countl_zero(size) - 50);
            std::uint64_t kept = size >> drop;
            if ((kept << drop) != size) kept |= 1U;
            const double exact = std::ldexp(static_cast<double>(kept), drop);
            d[lane] = narrow(is_signed(op) && value < 0 ? -exact : exact,
                             destination_format(op) == Format::bf16 ? bfloat_format : half_format,
                             static_cast<SmallRounding>(rounding(op)));
        }
    });
}

void float_to_float(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    for_each_lane(mask, [&](int lane) { write_float(op, d, lane, read_float(op, a, lane)); });
}
void round_to_integral(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    for_each_lane(mask,
                  [&](int lane) { write_float(op, d, lane, to_integral(read_float(op, a, lane), rounding(op))); });
}

/// I2I.SAT: m0 format U8, S8, U16, S16 of a signed source
struct SaturateInteger {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t, std::uint32_t) {
        constexpr std::int32_t least[4] = {0, -128, 0, -32768};
        constexpr std::int32_t most[4] = {255, 127, 65535, 32767};
        return static_cast<std::uint32_t>(
            std::clamp(static_cast<std::int32_t>(a), least[op.m0 & 3U], most[op.m0 & 3U]));
    }
};

struct SignedToFloat {  // to nearest
    static U32x8 apply(const MicroOp&, U32x8 a) { return (U32x8)_mm256_cvtepi32_ps((__m256i)a); }
};

}  // namespace

bool lower_convert(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const isa::Operand& source = instruction.a.kind == isa::OperandKind::none ? instruction.b : instruction.a;
    const auto modifiers = [&] {
        if (source.kind == isa::OperandKind::immediate) return 0U;
        return (source.negate ? 1U << 14U : 0U) | (source.absolute ? 1U << 15U : 0U);
    };
    const auto round_flags =
        static_cast<std::uint32_t>(word.get(fields::rounding)) | (word.get(fields::flush_to_zero) != 0 ? 4U : 0U);
    const auto known = [](std::uint64_t format) { return format >= 1 && format <= 4; };
    const auto half_flag = [&](std::uint64_t format) {
        const bool small = format == 1 || format == 4;
        return small && source.kind == isa::OperandKind::reg && word.get(fields::convert_half_select) == 1 ? upper_half
                                                                                                           : 0U;
    };
    switch (instruction.opcode) {
        case Opcode::F2I: {
            const std::uint64_t from = word.get(float_source);
            const auto size = static_cast<std::uint32_t>(word.get(fields::convert_destination_size));
            if (!known(from)) return false;
            op.a = to.source(source, from == 3 ? 2 : 1);
            op.d = to.destination(instruction, false, size == 3 ? 2 : 1);
            op.m0 = round_flags | modifiers() | half_flag(from) | (word.get(fields::f2i_no_trap_nan) != 0 ? 8U : 0U) |
                    (word.get(fields::f2i_destination_signed) != 0 ? 16U : 0U) | size << 5U |
                    static_cast<std::uint32_t>(from) << 8U;
            set_both(op, &float_to_integer);
            return true;
        }
        case Opcode::I2F:
        case Opcode::I2FP: {
            const std::uint64_t into = word.get(float_destination);
            const auto size = static_cast<std::uint32_t>(word.get(fields::convert_source_size));
            if (!known(into)) return false;
            op.a = to.source(source, size == 3 ? 2 : 1);
            op.d = to.destination(instruction, false, into == 3 ? 2 : 1);
            op.m0 = static_cast<std::uint32_t>(word.get(fields::rounding)) |
                    (word.get(fields::i2f_source_signed) != 0 ? 16U : 0U) | size << 5U |
                    static_cast<std::uint32_t>(into) << 11U;
            if (instruction.opcode == Opcode::I2F && source.kind != isa::OperandKind::immediate)
                op.m0 |= static_cast<std::uint32_t>(word.get(fields::i2f_byte_select)) << 16U;
            if (into == 2 && size == 2 && (op.m0 & 19U) == 16)
                set_unary<SignedToFloat>(op);
            else
                set_both(op, &integer_to_float);
            return true;
        }
        case Opcode::F2F:
        case Opcode::FRND: {
            const std::uint64_t from = word.get(float_source);
            const std::uint64_t into = word.get(float_destination);
            if (!known(from) || !known(into)) return false;
            op.a = to.source(source, from == 3 ? 2 : 1);
            op.d = to.destination(instruction, false, into == 3 ? 2 : 1);
            op.m0 = round_flags | modifiers() | half_flag(from) | static_cast<std::uint32_t>(from) << 8U |
                    static_cast<std::uint32_t>(into) << 11U;
            set_both(op, instruction.opcode == Opcode::F2F ? &float_to_float : &round_to_integral);
            return true;
        }
        case Opcode::I2I:
            op.a = to.source(source);
            op.b = op.c = 1;
            op.d = to.destination(instruction, false);
            op.m0 = static_cast<std::uint32_t>(word.get(i2i_format));
            set_lanewise<SaturateInteger>(op);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::sim
