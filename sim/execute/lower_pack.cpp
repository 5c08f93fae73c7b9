// Conversions that pack or unpack: two floats to halves or to 8-bit floats, integers to narrower ones, with saturation.
#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/execute/float_ops.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/small_float.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

// ---- FP8 ----------------------------------------------------------------------------------------------------------
constexpr SmallFormat e4m3_format{3, 4};
constexpr SmallFormat e5m2_format{2, 5};
constexpr std::uint32_t fp8_sign = 0x80;
constexpr std::uint32_t fp8_nan = 0x7f;  ///< of both formats

/// E4M3 has no infinities: only all ones below the sign is NaN.
std::uint32_t largest(bool e4m3) { return e4m3 ? 0x7eU : 0x7bU; }

std::uint32_t to_fp8(double value, bool e4m3, SmallRounding mode) {
    if (std::isnan(value)) return fp8_nan;
    const std::uint32_t sign = std::signbit(value) ? fp8_sign : 0U;
    if (std::isinf(value)) return sign | largest(e4m3);
    const std::int64_t bits = rounded_magnitude(value, e4m3 ? e4m3_format : e5m2_format, mode);
    return sign | static_cast<std::uint32_t>(std::min<std::int64_t>(bits, largest(e4m3)));
}

double from_fp8(std::uint32_t bits, bool e4m3) {
    const std::uint32_t sign = bits & fp8_sign;
    const std::uint32_t magnitude = bits & 0x7fU;
    double value = 0;
    if (!e4m3) return widen(bits << 8U, half_format);  // E5M2 is the upper byte of FP16
    if (magnitude == fp8_nan) return std::numeric_limits<double>::quiet_NaN();
    const std::uint32_t exponent = magnitude >> 3U;
    const std::uint32_t fraction = magnitude & 7U;
    value = exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(fraction + 8U, static_cast<int>(exponent) - 10);
    return sign != 0 ? -value : value;
}

// ---- F2FP: m0 bits 0, 1 rounding; the others as named; m1: signs and magnitudes of a and b
// ----------------------------
constexpr std::uint32_t pack_relu_bit = 4;
constexpr std::uint32_t second_format_bit = 8;  ///< BF16 or E4M3
constexpr std::uint32_t merge_bit = 16;
constexpr std::uint32_t upper_bit = 32;  ///< the source is in the upper half

SmallRounding pack_rounding(const MicroOp& op) { return static_cast<SmallRounding>(op.m0 & 3U); }
bool second_format(const MicroOp& op) { return (op.m0 & second_format_bit) != 0; }

double rectified(const MicroOp& op, double value) {
    return (op.m0 & pack_relu_bit) != 0 && std::signbit(value) && !std::isnan(value) ? 0.0 : value;
}
/// Source `number` as FP32.
double single_value(const MicroOp& op, std::uint32_t bits, unsigned number) {
    if ((op.m1 >> (2 * number + 1) & 1U) != 0) bits &= ~float_sign;
    if ((op.m1 >> (2 * number) & 1U) != 0) bits ^= float_sign;
    return rectified(op, std::bit_cast<float>(bits));
}

/// a and b to the upper and lower half; with .MERGE_C b to the lower half below the upper half of c.
struct PackHalves {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const SmallFormat format = second_format(op) ? bfloat_format : half_format;
        const std::uint32_t low = narrow(single_value(op, b, 1), format, pack_rounding(op));
        if ((op.m0 & merge_bit) != 0) return (c & 0xffff0000U) | low;
        return narrow(single_value(op, a, 0), format, pack_rounding(op)) << 16U | low;
    }
};
/// a and b to the two lower bytes; the lower half of c above them.
struct PackBytes {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const std::uint32_t both = to_fp8(single_value(op, a, 0), second_format(op), pack_rounding(op)) << 8U |
                                   to_fp8(single_value(op, b, 1), second_format(op), pack_rounding(op));
        return (op.m0 & merge_bit) != 0 ? c << 16U | both : both;
    }
};
/// The halves of b to the two lower bytes; the lower half of c above them.
struct HalvesToBytes {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t, std::uint32_t b, std::uint32_t c) {
        const auto byte = [&](std::uint32_t half) {
            return to_fp8(rectified(op, widen(half & 0xffffU, half_format)), second_format(op), pack_rounding(op));
        };
        return c << 16U | byte(b >> 16U) << 8U | byte(b);
    }
};
struct BytesToHalves {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t, std::uint32_t b, std::uint32_t) {
        const std::uint32_t both = (op.m0 & upper_bit) != 0 ? b >> 16U : b;
        const auto half = [&](std::uint32_t byte) {
            return narrow(rectified(op, from_fp8(byte & 0xffU, second_format(op))), half_format);
        };
        return half(both >> 8U) << 16U | half(both);
    }
};
/// TF32: ten bits of fraction in the place of FP32's upper ones.
struct PackTf32 {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t, std::uint32_t b, std::uint32_t) {
        const double value = single_value(op, b, 1);
        constexpr std::uint32_t dropped = (1U << 13U) - 1U;
        if (std::isnan(value)) return float_nan & ~dropped;
        std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        if ((bits & float_exponent) == float_exponent) return bits;
        if (pack_rounding(op) == SmallRounding::nearest) bits += (dropped >> 1U) + (bits >> 13U & 1U);
        return bits & ~dropped;
    }
};

bool lower_pack_floats(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const std::uint64_t mode = word.get(fields::f2fp_rounding);
    if (mode != 0 && mode != 3) return false;
    const bool merge = word.get(fields::f2fp_merge_c) != 0;
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    op.c = to.source(instruction.c);
    op.d = to.destination(instruction, false);
    op.m0 = static_cast<std::uint32_t>(mode) | (word.get(fields::f2fp_relu) != 0 ? pack_relu_bit : 0U) |
            (word.get(fields::f2fp_format) != 0 ? second_format_bit : 0U) | (merge ? merge_bit : 0U);
    op.m1 = (instruction.a.negate ? 1U : 0U) | (instruction.a.absolute ? 2U : 0U) | (instruction.b.negate ? 4U : 0U) |
            (instruction.b.absolute ? 8U : 0U);
    if (word.get(fields::f2fp_single) != 0) {
        if (word.get(fields::f2fp_tf32) != 0) {
            set_lanewise<PackTf32>(op);
            return true;
        }
        op.m0 = (op.m0 & pack_relu_bit) | (word.get(fields::f2fp_unpack_format) != 0 ? second_format_bit : 0U) |
                (word.get(fields::f2fp_unpack_high) != 0 ? upper_bit : 0U);
        set_lanewise<BytesToHalves>(op);
        return true;
    }
    if (word.get(fields::f2fp_fp8) != 0) {
        if (word.get(fields::f2fp_satfinite) == 0) return false;
        word.get(fields::f2fp_unpack_format) != 0 ? set_lanewise<HalvesToBytes>(op) : set_lanewise<PackBytes>(op);
        return true;
    }
    if (word.get(fields::f2fp_satfinite) != 0) return false;
    set_lanewise<PackHalves>(op);
    return true;
}

// ---- integers: m0 format, m1 rounding
// ---------------------------------------------------------------------------------
constexpr unsigned bits_of(std::uint32_t format) {
    constexpr unsigned bits[4] = {8, 16, 2, 4};
    return bits[format >> 1U & 3U];
}
std::uint32_t saturated(std::int64_t value, std::uint32_t format) {
    const unsigned bits = bits_of(format);
    const bool is_signed = (format & 1U) != 0;
    const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    const std::int64_t least = is_signed ? -most - 1 : 0;
    return static_cast<std::uint32_t>(std::clamp(value, least, most)) & ((1U << bits) - 1U);
}
/// What was packed before moves up, but nothing is left of it above two halves.
std::uint32_t packed(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t format) {
    const unsigned bits = bits_of(format);
    return (bits == 16 ? 0U : c << (2 * bits)) | a << bits | b;
}

struct PackIntegers {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        return packed(saturated(static_cast<std::int32_t>(a), op.m0), saturated(static_cast<std::int32_t>(b), op.m0), c,
                      op.m0);
    }
};
/// F2IP: NaN gives 0.
struct PackRounded {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const auto integer = [&](std::uint32_t bits) {
            const float value = std::bit_cast<float>(bits);
            if (std::isnan(value)) return 0U;
            const double whole = op.m1 == 3 ? std::trunc(value) : std::nearbyint(value);
            return saturated(static_cast<std::int64_t>(std::clamp(whole, -65536.0, 65536.0)), op.m0);
        };
        return packed(integer(a), integer(b), c, op.m0);
    }
};

}  // namespace

bool lower_pack(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    switch (instruction.opcode) {
        case Opcode::F2FP: return lower_pack_floats(to, instruction, op);
        case Opcode::I2IP:
        case Opcode::F2IP:
            op.a = to.source(instruction.a);
            op.b = to.source(instruction.b);
            op.c = to.source(instruction.c);
            op.d = to.destination(instruction, false);
            op.m0 = static_cast<std::uint32_t>(
                word.get(instruction.opcode == Opcode::I2IP ? fields::i2ip_format : fields::i2i_format));
            if (instruction.opcode == Opcode::I2IP) {
                set_lanewise<PackIntegers>(op);
                return true;
            }
            op.m1 = static_cast<std::uint32_t>(word.get(fields::rounding));
            if (op.m1 != 0 && op.m1 != 3) return false;
            set_lanewise<PackRounded>(op);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::sim
