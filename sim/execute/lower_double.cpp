// FP64 arithmetic and comparison. A NaN result is the quiet form of a NaN source as it was before its signs changed; of
// several, of b, else of c, else of a, as an H200 has it. An invalid operation gives the host's NaN, which is the same.
#include <bit>
#include <cmath>

#include "sim/execute/float_ops.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

constexpr std::uint64_t double_sign = std::uint64_t{1} << 63U;
constexpr std::uint64_t quiet_bit = std::uint64_t{1} << 51U;

// m0: bits 0..2 negate a, b, c; 3..5 absolute value; 8, 9 rounding
template <int number>
__m256d modified(const MicroOp& op, U64x4 value) {
    const std::uint64_t absolute = 0U - static_cast<std::uint64_t>(op.m0 >> (3 + number) & 1U);
    const std::uint64_t negate = 0U - static_cast<std::uint64_t>(op.m0 >> number & 1U);
    return (__m256d)((value & ~(absolute & double_sign)) ^ (negate & double_sign));
}

enum class Arithmetic { add, multiply, fused };

template <Arithmetic kind>
U64x4 compute(const MicroOp& op, U64x4 a, U64x4 b, U64x4 c) {
    const __m256d x = modified<0>(op, a);
    const __m256d y = modified<1>(op, b);
    if constexpr (kind == Arithmetic::add) return (U64x4)_mm256_add_pd(x, y);
    if constexpr (kind == Arithmetic::multiply) return (U64x4)_mm256_mul_pd(x, y);
    return (U64x4)_mm256_fmadd_pd(x, y, modified<2>(op, c));
}

/// Puts the NaN that belongs there wherever the result is one.
template <Arithmetic kind>
U64x4 choose_nan(U64x4 result, U64x4 a, U64x4 b, U64x4 c) {
    const auto is_nan = [](U64x4 value) { return (U64x4)_mm256_cmp_pd((__m256d)value, (__m256d)value, _CMP_UNORD_Q); };
    const U64x4 wrong = is_nan(result);
    if (_mm256_testz_si256((__m256i)wrong, (__m256i)wrong) != 0) return result;
    const auto prefer = [&](U64x4 source, U64x4 other) {
        const U64x4 nan = is_nan(source);
        return (nan & (source | quiet_bit)) | (~nan & other);
    };
    U64x4 chosen = prefer(a, result);
    if constexpr (kind == Arithmetic::fused) chosen = prefer(c, chosen);
    chosen = prefer(b, chosen);
    return (wrong & chosen) | (~wrong & result);
}

template <Arithmetic kind, bool directed>
void arithmetic(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const U32x8* c = row(warp, op.c);
    for (int part = 0; part < parts; ++part) {
        Wide x = join(a[part], a[parts + part]);
        Wide y = join(b[part], b[parts + part]);
        Wide z = join(c[part], c[parts + part]);
        Wide result{};
        if constexpr (directed) {
            const RoundingScope scope(op.m0 >> 8U);
            opaque(x);
            opaque(y);
            opaque(z);
            result = {compute<kind>(op, x.even, y.even, z.even), compute<kind>(op, x.odd, y.odd, z.odd)};
            opaque(result);
        } else {
            result = {compute<kind>(op, x.even, y.even, z.even), compute<kind>(op, x.odd, y.odd, z.odd)};
        }
        result = {choose_nan<kind>(result.even, x.even, y.even, z.even),
                  choose_nan<kind>(result.odd, x.odd, y.odd, z.odd)};
        store<false>(d, low_half(result), mask, part);
        store<false>(d + parts, high_half(result), mask, part);
    }
}

template <Arithmetic kind>
void set_arithmetic(MicroOp& op) {
    set_both(op, (op.m0 >> 8U & 3U) != 0 ? &arithmetic<kind, true> : &arithmetic<kind, false>);
}

/// m1: FloatCompare, a set of outcomes: 1 less, 2 equal, 4 greater, 8 unordered; m2: set operation
void set_predicate(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    std::uint32_t result = 0;
    for_each_lane(mask, [&](int lane) {
        const auto value = [&](const std::uint32_t* from, unsigned number) {
            std::uint64_t bits = read_pair(from, lane);
            if ((op.m0 >> (3 + number) & 1U) != 0) bits &= ~double_sign;
            if ((op.m0 >> number & 1U) != 0) bits ^= double_sign;
            return std::bit_cast<double>(bits);
        };
        const double x = value(a, 0);
        const double y = value(b, 1);
        const unsigned outcome = x < y ? 1U : x == y ? 2U : x > y ? 4U : 8U;
        result |= static_cast<std::uint32_t>((op.m1 & outcome) != 0) << lane;
    });
    const std::uint32_t other = source_predicate<0>(warp, op);
    write_predicate(warp, op.p, combine(op.m2, result, other), mask);
    write_predicate(warp, op.q, combine(op.m2, ~result, other), mask);
}

/// DSETP.MIN, .MAX: Pu tells whether a is the result of fmin, fmax; Pv whether both are NaN. m1: 1 for MAX.
void choose_extreme(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    std::uint32_t takes_a = 0;
    std::uint32_t both_nan = 0;
    for_each_lane(mask, [&](int lane) {
        const auto key = [&](const std::uint32_t* from, unsigned number, bool& nan) {
            std::uint64_t bits = read_pair(from, lane);
            if ((op.m0 >> (3 + number) & 1U) != 0) bits &= ~double_sign;
            if ((op.m0 >> number & 1U) != 0) bits ^= double_sign;
            nan = std::isnan(std::bit_cast<double>(bits));
            const auto order = static_cast<std::int64_t>(bits);  // sorts as the doubles do, -0 below +0
            return order < 0 ? order ^ std::int64_t{0x7fffffffffffffff} : order;
        };
        bool a_nan = false;
        bool b_nan = false;
        const std::int64_t x = key(a, 0, a_nan);
        const std::int64_t y = key(b, 1, b_nan);
        const bool wins = op.m1 != 0 ? x > y : x < y;
        takes_a |= static_cast<std::uint32_t>(!a_nan && (b_nan || wins)) << lane;
        both_nan |= static_cast<std::uint32_t>(a_nan && b_nan) << lane;
    });
    const std::uint32_t other = source_predicate<0>(warp, op);
    write_predicate(warp, op.p, combine(op.m2, takes_a, other), mask);
    write_predicate(warp, op.q, combine(op.m2, both_nan, other), mask);
}

}  // namespace

bool lower_double(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const auto modifier = [](const isa::Operand& operand, unsigned number) {
        if (operand.kind == isa::OperandKind::immediate) return 0U;
        return (operand.negate ? 1U << number : 0U) | (operand.absolute ? 8U << number : 0U);
    };
    const isa::Operand& second = instruction.b.kind == isa::OperandKind::none ? instruction.c : instruction.b;
    switch (instruction.opcode) {
        case Opcode::DADD:
        case Opcode::DMUL:
        case Opcode::DFMA:
            op.a = to.source(instruction.a, 2);
            op.b = to.source(second, 2);
            op.c = 1;
            op.d = to.destination(instruction, false, 2);
            op.m0 = modifier(instruction.a, 0) | modifier(second, 1) |
                    static_cast<std::uint32_t>(word.get(fields::rounding)) << 8U;
            if (instruction.opcode == Opcode::DADD) {
                set_arithmetic<Arithmetic::add>(op);
            } else if (instruction.opcode == Opcode::DMUL) {
                set_arithmetic<Arithmetic::multiply>(op);
            } else {
                op.c = to.source(instruction.c, 2);
                op.m0 |= modifier(instruction.c, 2);
                set_arithmetic<Arithmetic::fused>(op);
            }
            return true;
        case Opcode::DSETP:
            op.a = to.source(instruction.a, 2);
            op.b = to.source(second, 2);
            to.predicates_written(op, instruction, false);
            to.predicate_p(op, instruction, false);
            op.m0 = modifier(instruction.a, 0) | modifier(second, 1);
            op.m1 = static_cast<std::uint32_t>(word.get(fields::float_compare));
            op.m2 = static_cast<std::uint32_t>(word.get(fields::set_operation));
            if (op.m1 == 0 || op.m1 == 15) {  // never and always are not encodable; these are .MIN and .MAX
                op.m1 = op.m1 == 15 ? 1 : 0;
                set_both(op, &choose_extreme);
            } else {
                set_both(op, &set_predicate);
            }
            return true;
        default: return false;
    }
}

}  // namespace sassafras::sim
