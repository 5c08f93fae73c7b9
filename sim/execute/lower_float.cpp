// FP32 arithmetic, comparison and selection.
#include <bit>
#include <cmath>

#include "sim/execute/float_ops.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/small_float.hpp"
#include "sim/execute/special_function.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

// m0: bits 0..2 negate a, b, c; 3..5 absolute value of a, b, c; 6 flush; 7 saturate; 8, 9 rounding; 10 zero times
// anything is zero
constexpr std::uint32_t flush_bit = 1U << 6U;
constexpr std::uint32_t saturate_bit = 1U << 7U;
constexpr std::uint32_t zero_bit = 1U << 10U;

template <int number>
U32x8 modified(const MicroOp& op, U32x8 value) {
    const std::uint32_t absolute = 0U - (op.m0 >> (3 + number) & 1U);
    const std::uint32_t negate = 0U - (op.m0 >> number & 1U);
    value = (value & ~(absolute & float_sign)) ^ (negate & float_sign);
    return (op.m0 & flush_bit) != 0 ? flush(value) : value;
}

enum class Arithmetic { add, multiply, fused };

template <Arithmetic kind>
U32x8 compute(U32x8 a, U32x8 b, U32x8 c) {
    if constexpr (kind == Arithmetic::add) return as_bits(as_float(a) + as_float(b));
    if constexpr (kind == Arithmetic::multiply) return as_bits(as_float(a) * as_float(b));
    return (U32x8)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

/// No modifiers, or negations only: what compilers emit most.
template <Arithmetic kind, bool negations>
struct Plain {
    static U32x8 apply(const MicroOp& op, U32x8 a, U32x8 b, U32x8 c) {
        if constexpr (negations) {
            a ^= (op.m0 & 1U) << 31U;
            b ^= (op.m0 >> 1U & 1U) << 31U;
            c ^= (op.m0 >> 2U & 1U) << 31U;
        }
        return canonical(compute<kind>(a, b, c));
    }
};

template <Arithmetic kind>
struct General {
    static U32x8 apply(const MicroOp& op, U32x8 a, U32x8 b, U32x8 c) {
        a = modified<0>(op, a);
        b = modified<1>(op, b);
        c = modified<2>(op, c);
        U32x8 result = compute<kind>(a, b, c);
        if ((op.m0 & zero_bit) != 0) {
            const U32x8 zero = (U32x8)((a & ~float_sign) == 0U) | (U32x8)((b & ~float_sign) == 0U);
            result = select(zero, kind == Arithmetic::fused ? c : U32x8{}, result);
        }
        result = canonical(result);
        if ((op.m0 & flush_bit) != 0) result = flush(result);
        if ((op.m0 & saturate_bit) != 0) result = saturate(result);
        return result;
    }
};

template <Arithmetic kind>
struct Directed {
    static U32x8 apply(const MicroOp& op, U32x8 a, U32x8 b, U32x8 c) {
        const RoundingScope scope(op.m0 >> 8U);
        opaque(a);
        opaque(b);
        opaque(c);
        U32x8 result = General<kind>::apply(op, a, b, c);
        opaque(result);
        return result;
    }
};

template <Arithmetic kind>
void set_arithmetic(MicroOp& op) {
    if ((op.m0 >> 8U & 3U) != 0)
        set_ternary<Directed<kind>>(op);
    else if (op.m0 == 0)
        set_ternary<Plain<kind, false>>(op);
    else if ((op.m0 & ~7U) == 0)
        set_ternary<Plain<kind, true>>(op);
    else
        set_ternary<General<kind>>(op);
}

/// Keys that order floats as signed integers: -0 below +0.
U32x8 order(U32x8 value) { return value ^ (shift_right_signed(value, broadcast(31)) & 0x7fff'ffffU); }

/// m1 bit 0: NaN wins (.NAN); bit 1: the sign is the product of the sources' signs before their modifiers (.XORSIGN).
template <bool full>
void float_min_max(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* sa = row(warp, op.a);
    const U32x8* sb = row(warp, op.b);
    const std::uint32_t take_least = source_predicate<0>(warp, op);
    for (int part = 0; part < parts; ++part) {
        const U32x8 a = modified<0>(op, sa[part]);
        const U32x8 b = modified<1>(op, sb[part]);
        const U32x8 a_nan = (U32x8)((a & ~float_sign) > float_exponent);
        const U32x8 b_nan = (U32x8)((b & ~float_sign) > float_exponent);
        const U32x8 b_less = (U32x8)((S32x8)order(b) < (S32x8)order(a));
        const U32x8 take_b = b_less ^ ~expand(take_least, part);
        U32x8 result = select((take_b | a_nan) & ~b_nan, b, a);
        const U32x8 is_nan = (op.m1 & 1U) != 0 ? a_nan | b_nan : a_nan & b_nan;
        if ((op.m1 & 2U) != 0) result = (result & ~float_sign) | ((sa[part] ^ sb[part]) & float_sign);
        result = select(is_nan, broadcast(float_nan), result);
        store<full>(d, result, mask, part);
    }
}

template <bool full>
void float_select(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const std::uint32_t take_a = source_predicate<0>(warp, op);
    for (int part = 0; part < parts; ++part)
        store<full>(d, select(expand(take_a, part), modified<0>(op, a[part]), modified<1>(op, b[part])), mask, part);
}

// ---- comparison: m1 is the FloatCompare, m2 the set operation ---------------------------------------------------
std::uint32_t compare(const MicroOp& op, const U32x8* sa, const U32x8* sb) {
    std::uint32_t less_than = 0;
    std::uint32_t equal = 0;
    std::uint32_t unordered = 0;
    for (int part = 0; part < parts; ++part) {
        const auto a = (__m256)modified<0>(op, sa[part]);
        const auto b = (__m256)modified<1>(op, sb[part]);
        less_than |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ))) << (8 * part);
        equal |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_EQ_OQ))) << (8 * part);
        unordered |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q))) << (8 * part);
    }
    // The code is a set of outcomes: 1 less, 2 equal, 4 greater, 8 unordered.
    const std::uint32_t greater = ~(less_than | equal | unordered);
    std::uint32_t result = 0;
    if ((op.m1 & 1U) != 0) result |= less_than;
    if ((op.m1 & 2U) != 0) result |= equal;
    if ((op.m1 & 4U) != 0) result |= greater;
    if ((op.m1 & 8U) != 0) result |= unordered;
    return result;
}

void set_predicate(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t result = compare(op, row(warp, op.a), row(warp, op.b));
    const std::uint32_t other = source_predicate<0>(warp, op);
    write_predicate(warp, op.p, combine(op.m2, result, other), mask);
    write_predicate(warp, op.q, combine(op.m2, ~result, other), mask);
}

/// FSET: 1.0f with .BF, else all ones; c row holds which.
void set_register(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t result =
        combine(op.m2, compare(op, row(warp, op.a), row(warp, op.b)), source_predicate<0>(warp, op));
    U32x8* d = row(warp, op.d);
    const U32x8* yes = row(warp, op.c);
    for (int part = 0; part < parts; ++part) store<false>(d, expand(result, part) & yes[part], mask, part);
}

/// FCHK: whether a / b needs the slow path: exponents too far out for the reciprocal with Newton steps.
void check_division(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    std::uint32_t slow = 0;
    for_each_lane(mask, [&](int lane) {
        const int ea = static_cast<int>(a[lane] >> 23U & 0xffU);
        const int eb = static_cast<int>(b[lane] >> 23U & 0xffU);
        const int quotient = ea - eb;
        const bool needs = eb == 0 || eb >= 253 || ea == 255 || ea <= 24 || quotient >= 126 || quotient <= -126;
        slow |= static_cast<std::uint32_t>(needs) << lane;
    });
    write_predicate(warp, op.p, slow, mask);
}

/// m1: function, m2: 1 saturates
void special_function(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    U32x8* source = row(warp, op.a);
    for_each_lane(mask, [&](int lane) {
        const U32x8 value = modified<0>(op, source[lane / 8]);
        d[lane] = mufu(op.m1, value[lane % 8]);
        if ((op.m0 & flush_bit) != 0 && (d[lane] & float_exponent) == 0) d[lane] &= float_sign;
    });
}

/// MUFU of a half; m2 bits 0, 1: 1 FP16, 2 BF16; bit 2: the source is in the upper half.
void special_function_of_half(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const SmallFormat format = (op.m2 & 3U) == 1 ? half_format : bfloat_format;
    for_each_lane(mask, [&](int lane) {
        double value = widen((op.m2 & 4U) != 0 ? a[lane] >> 16U : a[lane] & 0xffffU, format);
        if ((op.m0 & 8U) != 0) value = std::fabs(value);
        if ((op.m0 & 1U) != 0) value = -value;
        d[lane] = mufu(op.m1, value, format);
    });
}

/// The bits of m0 for a source's signs.
std::uint32_t modifier(const isa::Operand& operand, unsigned number) {
    if (operand.kind == isa::OperandKind::immediate) return 0U;
    return (operand.negate ? 1U << number : 0U) | (operand.absolute ? 8U << number : 0U);
}
std::uint32_t flush_flag(const isa::Word128& word) { return word.get(fields::flush_to_zero) != 0 ? flush_bit : 0U; }
std::uint32_t arithmetic_flags(const isa::Word128& word) {
    return flush_flag(word) | (word.get(fields::saturate) != 0 ? saturate_bit : 0U) |
           static_cast<std::uint32_t>(word.get(fields::rounding)) << 8U;
}
std::uint32_t zero_flags(const isa::Word128& word) {
    return word.get(fields::zero_times_anything) != 0 ? zero_bit | flush_bit : 0U;
}

bool lower_float_comparison(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    to.predicate_p(op, instruction, false);
    op.m0 = modifier(instruction.a, 0) | modifier(instruction.b, 1) | flush_flag(word);
    op.m1 = static_cast<std::uint32_t>(word.get(fields::float_compare));
    op.m2 = static_cast<std::uint32_t>(word.get(fields::set_operation));
    if (instruction.opcode == Opcode::FSETP) {
        to.predicates_written(op, instruction, false);
        set_both(op, &set_predicate);
    } else {
        op.d = to.destination(instruction, false);
        op.c = to.immediate(std::bit_cast<std::uint32_t>(1.0F));
        set_both(op, &set_register);
    }
    return true;
}

bool lower_special_function(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const isa::Operand& source = instruction.a.kind == isa::OperandKind::none ? instruction.b : instruction.a;
    op.a = to.source(source);
    op.d = to.destination(instruction, false);
    op.m0 = modifier(source, 0) | flush_flag(word);
    op.m1 = static_cast<std::uint32_t>(word.get(fields::mufu_function));
    if (op.m1 > static_cast<std::uint32_t>(fields::MufuFunction::tanh)) return false;
    if (const unsigned format = fields::mufu_format_of(word, instruction.architecture); format != 0) {
        op.m2 = format | (word.get(fields::convert_half_select) == 1 ? 4U : 0U);
        set_both(op, &special_function_of_half);
        return op.m2 != 3 && op.m2 != 7;
    }
    set_both(op, &special_function);
    return true;
}

}  // namespace

bool lower_float(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    switch (instruction.opcode) {
        case Opcode::FADD:
        case Opcode::FMUL:
            if (instruction.opcode == Opcode::FMUL && word.get(fields::fmul_scale) != 4) return false;
            op.a = to.source(instruction.a);
            op.b = to.source(instruction.b);
            op.c = 1;
            op.d = to.destination(instruction, false);
            op.m0 = modifier(instruction.a, 0) | modifier(instruction.b, 1) | arithmetic_flags(word);
            if (instruction.opcode == Opcode::FADD) {
                set_arithmetic<Arithmetic::add>(op);
            } else {
                op.m0 |= zero_flags(word);
                set_arithmetic<Arithmetic::multiply>(op);
            }
            return true;
        case Opcode::FFMA:
            op.a = to.source(instruction.a);
            op.b = to.source(instruction.b);
            op.c = to.source(instruction.c);
            op.d = to.destination(instruction, false);
            op.m0 = modifier(instruction.a, 0) | modifier(instruction.b, 1) | modifier(instruction.c, 2) |
                    arithmetic_flags(word) | zero_flags(word);
            set_arithmetic<Arithmetic::fused>(op);
            return true;
        case Opcode::FMNMX:
        case Opcode::FSEL:
            op.a = to.source(instruction.a);
            op.b = to.source(instruction.b);
            op.d = to.destination(instruction, false);
            to.predicate_p(op, instruction, false);
            op.m0 = modifier(instruction.a, 0) | modifier(instruction.b, 1) | flush_flag(word);
            if (instruction.opcode == Opcode::FMNMX) {
                op.m1 = static_cast<std::uint32_t>(word.get(fields::fmnmx_nan) | word.get(fields::fmnmx_xorsign) << 1U);
                op.full = &float_min_max<true>;
                op.masked = &float_min_max<false>;
            } else {
                op.full = &float_select<true>;
                op.masked = &float_select<false>;
            }
            return true;
        case Opcode::FSETP:
        case Opcode::FSET: return lower_float_comparison(to, instruction, op);
        case Opcode::FCHK:
            op.a = to.source(instruction.a);
            op.b = to.source(instruction.b);
            to.predicates_written(op, instruction, false);
            set_both(op, &check_division);
            return true;
        case Opcode::MUFU: return lower_special_function(to, instruction, op);
        default: return false;
    }
}

}  // namespace sassafras::sim
