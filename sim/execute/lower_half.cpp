// Packed half precision: two FP16 or BF16 values a register. One lane at a time; constants, the common case, are moves.
#include <algorithm>
#include <array>

#include "isa/sass/table.hpp"
#include "sim/execute/float_ops.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/small_float.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

struct Copy {
    static U32x8 apply(const MicroOp&, U32x8 a) { return a; }
};

// m0: bits 0..2 negate a, b, c; 3..5 absolute value; 6 flush; 7 saturate; 8 relu; 9 BF16; 10 FP32 result; 11 zero times
// anything;
//     12..17 half-select of a, b, c; 18 b is .H0_NH1: its lower half above, its negated upper half below
// m1: kind, or comparison; m2: set operation and flags of comparisons
constexpr std::uint32_t flush_bit = 1U << 6U;
constexpr std::uint32_t saturate_bit = 1U << 7U;
constexpr std::uint32_t relu_bit = 1U << 8U;
constexpr std::uint32_t bfloat_bit = 1U << 9U;
constexpr std::uint32_t float_bit = 1U << 10U;
constexpr std::uint32_t zero_bit = 1U << 11U;
constexpr std::uint32_t turned_bit = 1U << 18U;

enum class Arithmetic : std::uint32_t { add, multiply, fused };

SmallFormat format_of(const MicroOp& op) { return (op.m0 & bfloat_bit) != 0 ? bfloat_format : half_format; }

/// The value of half `which` of source `number`.
double element(const MicroOp& op, unsigned number, std::uint32_t bits, unsigned which) {
    const bool turned = number == 1 && (op.m0 & turned_bit) != 0;
    const auto choice = static_cast<fields::HalfSelect>(op.m0 >> (12U + 2U * number) & 3U);
    double value = 0;
    if (choice == fields::HalfSelect::f32) {
        value = std::bit_cast<float>(bits);
    } else {
        const unsigned place = turned ? 1 - which : which;
        const bool upper = choice == fields::HalfSelect::h1_h1 || (choice == fields::HalfSelect::h1_h0 && place == 1);
        std::uint32_t small = upper ? bits >> 16U : bits & 0xffffU;
        const SmallFormat format = format_of(op);
        if ((op.m0 & flush_bit) != 0 && (small & format.infinity()) == 0) small &= small_sign;
        value = widen(small, format);
    }
    if ((op.m0 >> (3 + number) & 1U) != 0) value = std::fabs(value);
    if ((op.m0 >> number & 1U) != 0) value = -value;
    if (turned && which == 0) value = -value;
    return value;
}

/// The sign bit of half `which` of source `number`, before its modifiers.
std::uint32_t sign(const MicroOp& op, unsigned number, std::uint32_t bits, unsigned which) {
    const auto choice = static_cast<fields::HalfSelect>(op.m0 >> (12U + 2U * number) & 3U);
    const bool upper = choice == fields::HalfSelect::h1_h1 || (choice == fields::HalfSelect::h1_h0 && which == 1);
    return (upper ? bits >> 16U : bits) & small_sign;
}

std::uint32_t finish(const MicroOp& op, double value) {
    if ((op.m0 & saturate_bit) != 0) value = std::isnan(value) || value <= 0 ? 0.0 : std::min(value, 1.0);
    const SmallFormat format = format_of(op);
    std::uint32_t small = narrow(value, format);
    if ((op.m0 & flush_bit) != 0 && (small & format.infinity()) == 0) small &= small_sign;
    if ((op.m0 & relu_bit) != 0 && (small & small_sign) != 0) small = 0;
    return small;
}

double compute(const MicroOp& op, double a, double b, double c) {
    switch (static_cast<Arithmetic>(op.m1)) {
        case Arithmetic::add: return fused_to_odd(a, 1.0, b);
        case Arithmetic::multiply: return (op.m0 & zero_bit) != 0 && (a == 0 || b == 0) ? 0.0 : a * b;
        case Arithmetic::fused: return (op.m0 & zero_bit) != 0 && (a == 0 || b == 0) ? c : fused_to_odd(a, b, c);
    }
    return 0;
}

void arithmetic(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    const std::uint32_t* c = words(row(warp, op.c));
    for_each_lane(mask, [&](int lane) {
        if ((op.m0 & float_bit) != 0) {
            const auto value = static_cast<float>(
                compute(op, element(op, 0, a[lane], 0), element(op, 1, b[lane], 0), element(op, 2, c[lane], 0)));
            const float inside = std::isnan(value) || value <= 0 ? 0.0F : std::min(value, 1.0F);
            d[lane] = std::bit_cast<std::uint32_t>((op.m0 & saturate_bit) != 0 ? inside : value);
            if ((op.m0 & saturate_bit) == 0 && std::isnan(value)) d[lane] = float_nan;
            return;
        }
        std::uint32_t result = 0;
        for (unsigned which = 0; which < 2; ++which)
            result |= finish(op, compute(op, element(op, 0, a[lane], which), element(op, 1, b[lane], which),
                                         element(op, 2, c[lane], which)))
                      << (16U * which);
        d[lane] = result;
    });
}

/// d = Pp ? min : max of each half; m1 bit 0 makes NaN win, bit 1 (.XORSIGN) gives the result the product of the signs
/// that the sources have without their modifiers.
void min_max(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    const std::uint32_t least = source_predicate<0>(warp, op);
    for_each_lane(mask, [&](int lane) {
        std::uint32_t result = 0;
        for (unsigned which = 0; which < 2; ++which) {
            const double x = element(op, 0, a[lane], which);
            const double y = element(op, 1, b[lane], which);
            double value = 0;
            if (std::isnan(x) || std::isnan(y)) {
                value = (op.m1 & 1U) != 0 || (std::isnan(x) && std::isnan(y)) ? std::numeric_limits<double>::quiet_NaN()
                        : std::isnan(x)                                       ? y
                                                                              : x;
            } else {
                const bool x_below = x < y || (x == y && std::signbit(x) && !std::signbit(y));
                value = x_below == ((least >> lane & 1U) != 0) ? x : y;
            }
            std::uint32_t half = finish(op, value);
            if ((op.m1 & 2U) != 0 && half != small_nan)
                half =
                    (half & ~small_sign) | ((sign(op, 0, a[lane], which) ^ sign(op, 1, b[lane], which)) & small_sign);
            result |= half << (16U * which);
        }
        d[lane] = result;
    });
}

/// Lanes in which the comparison of half `which` holds. m1: the set of outcomes: 1 less, 2 equal, 4 greater, 8
/// unordered.
std::uint32_t compare(Warp& warp, const MicroOp& op, std::uint32_t mask, unsigned which) {
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    std::uint32_t result = 0;
    for_each_lane(mask, [&](int lane) {
        const double x = element(op, 0, a[lane], which);
        const double y = element(op, 1, b[lane], which);
        const unsigned outcome = x < y ? 1U : x == y ? 2U : x > y ? 4U : 8U;
        result |= static_cast<std::uint32_t>((op.m1 & outcome) != 0) << lane;
    });
    return result;
}
void set_predicate(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // m2: set operation, bit 2: both halves
    const std::uint32_t low = compare(warp, op, mask, 0);
    const std::uint32_t high = compare(warp, op, mask, 1);
    const std::uint32_t other = source_predicate<0>(warp, op);
    const bool both = (op.m2 & 4U) != 0;
    write_predicate(warp, op.p, combine(op.m2 & 3U, both ? low & high : low, other), mask);
    write_predicate(warp, op.q, combine(op.m2 & 3U, both ? ~(low & high) : high, other), mask);
}
void set_register(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // m2: set operation, bit 2: 1.0 for true
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t other = source_predicate<0>(warp, op);
    const std::uint32_t low = combine(op.m2 & 3U, compare(warp, op, mask, 0), other);
    const std::uint32_t high = combine(op.m2 & 3U, compare(warp, op, mask, 1), other);
    const std::uint32_t yes = (op.m2 & 4U) == 0 ? 0xffffU : narrow(1.0, format_of(op));
    for_each_lane(mask, [&](int lane) {
        d[lane] = ((low >> lane & 1U) != 0 ? yes : 0U) | ((high >> lane & 1U) != 0 ? yes << 16U : 0U);
    });
}

/// Compilers build constants with 0 * 0 + immediate.
bool is_constant_move(const isa::Instruction& instruction) {
    const auto is_zero = [](const isa::Operand& operand) {
        return operand.kind == isa::OperandKind::reg && operand.reg == isa::register_zero;
    };
    const bool plain = instruction.word.get(fields::saturate) == 0 &&
                       instruction.word.get(fields::flush_to_zero) == 0 && instruction.word.get(fields::half_relu) == 0;
    const SmallFormat format = instruction.word.get(fields::half_bfloat16) != 0 ? bfloat_format : half_format;
    const auto is_nan = [&](std::uint32_t bits) { return (bits & 0x7fffU) > format.infinity(); };
    return plain && is_zero(instruction.a) && is_zero(instruction.b) &&
           instruction.c.kind == isa::OperandKind::immediate && !is_nan(instruction.c.value) &&
           !is_nan(instruction.c.value >> 16U) && instruction.a.negate != instruction.b.negate;
}

std::uint32_t half_select(const isa::Instruction& instruction, std::size_t number) {
    const isa::OpcodeRow* table_row = isa::find_row(instruction.key, instruction.architecture);
    switch (table_row->sources[number]) {
        case isa::Source::a: return static_cast<std::uint32_t>(instruction.word.get(fields::half_select_a));
        case isa::Source::c: return static_cast<std::uint32_t>(instruction.word.get(fields::half_select_c));
        case isa::Source::b:
        case isa::Source::uniform_b:
        case isa::Source::constant:
        case isa::Source::bindless: return static_cast<std::uint32_t>(instruction.word.get(fields::half_select_b));
        default: return 0;
    }
}

}  // namespace

bool lower_half(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    switch (instruction.opcode) {
        case Opcode::HFMA2:
        case Opcode::HFMA2_MMA:
            if (is_constant_move(instruction)) {
                op.a = to.source(instruction.c);
                op.d = to.destination(instruction, false);
                set_unary<Copy>(op);
                return true;
            }
            break;
        case Opcode::HADD2:
        case Opcode::HMUL2:
        case Opcode::HSET2:
        case Opcode::HSETP2:
        case Opcode::HMNMX2: break;
        default: return false;
    }
    const std::array<const isa::Operand*, 3> sources{&instruction.a, &instruction.b, &instruction.c};
    for (unsigned number = 0; number < 3; ++number) {
        const isa::Operand& operand = *sources[number];
        if (operand.kind == isa::OperandKind::none) continue;
        op.m0 |= half_select(instruction, number) << (12U + 2U * number);
        if (operand.kind == isa::OperandKind::immediate) continue;
        op.m0 |= (operand.negate ? 1U << number : 0U) | (operand.absolute ? 8U << number : 0U);
    }
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    op.c = to.source(instruction.c);
    const bool is_set = instruction.opcode == Opcode::HSET2 || instruction.opcode == Opcode::HSETP2;
    op.m0 |= (word.get(fields::flush_to_zero) != 0 ? flush_bit : 0U) |
             (word.get(is_set ? fields::half_set_bfloat16 : fields::half_bfloat16) != 0 ? bfloat_bit : 0U);
    const auto common_flags = [&] { return word.get(fields::saturate) != 0 ? saturate_bit : 0U; };
    const auto zero_flags = [&] { return word.get(fields::zero_times_anything) != 0 ? zero_bit | flush_bit : 0U; };
    const auto comparison = [&](bool flag) {
        to.predicate_p(op, instruction, false);
        op.m1 = static_cast<std::uint32_t>(word.get(fields::float_compare));
        op.m2 = static_cast<std::uint32_t>(word.get(fields::half_set_operation)) | (flag ? 4U : 0U);
    };
    switch (instruction.opcode) {
        case Opcode::HADD2:
            op.m1 = static_cast<std::uint32_t>(Arithmetic::add);
            op.m0 |= common_flags() | (word.get(fields::half_float32) != 0 ? float_bit : 0U);
            break;
        case Opcode::HMUL2:
            op.m1 = static_cast<std::uint32_t>(Arithmetic::multiply);
            op.m0 |= common_flags() | zero_flags();
            break;
        case Opcode::HFMA2:
        case Opcode::HFMA2_MMA:
            op.m1 = static_cast<std::uint32_t>(Arithmetic::fused);
            op.m0 |= common_flags() | zero_flags() | (word.get(fields::half_relu) != 0 ? relu_bit : 0U);
            if (instruction.opcode == Opcode::HFMA2 && instruction.b.kind == isa::OperandKind::reg &&
                word.get(fields::half_select_b) == 0 && word.get(fields::half_select_b_high) != 0)
                op.m0 |= turned_bit;
            break;
        case Opcode::HMNMX2:
            to.predicate_p(op, instruction, false);
            op.m1 = static_cast<std::uint32_t>(word.get(fields::hmnmx2_nan) | word.get(fields::hmnmx2_xorsign) << 1U);
            op.d = to.destination(instruction, false);
            set_both(op, &min_max);
            return true;
        case Opcode::HSETP2:
            comparison(word.get(fields::half_setp_and) != 0);
            to.predicates_written(op, instruction, false);
            set_both(op, &set_predicate);
            return true;
        case Opcode::HSET2:
            comparison(word.get(fields::half_set_float) != 0);
            op.d = to.destination(instruction, false);
            set_both(op, &set_register);
            return true;
        default: return false;
    }
    op.d = to.destination(instruction, false);
    set_both(op, &arithmetic);
    return true;
}

}  // namespace sassafras::sim
