// Bitwise logic, shifts, byte permutation and bit counting, vector and uniform; logic on predicates.
#include <bit>

#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

std::uint32_t look_up(std::uint32_t table, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t result = 0;
    for (unsigned entry = 0; entry < 8; ++entry)
        if ((table >> entry & 1U) != 0)
            result |= ((entry & 4U) != 0 ? a : ~a) & ((entry & 2U) != 0 ? b : ~b) & ((entry & 1U) != 0 ? c : ~c);
    return result;
}
void predicate_logic(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // m0, m1: tables
    const std::uint32_t a = source_predicate<0>(warp, op);
    const std::uint32_t b = source_predicate<1>(warp, op);
    const std::uint32_t c = source_predicate<2>(warp, op);
    write_predicate(warp, op.p, look_up(op.m0, a, b, c), mask);
    write_predicate(warp, op.q, look_up(op.m1, a, b, c), mask);
}
/// The same of the signs of registers.
void sign_logic(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const auto signs = [&](std::uint32_t reference) {
        const U32x8* values = row(warp, reference);
        std::uint32_t result = 0;
        for (int part = 0; part < parts; ++part) result |= collect(values[part]) << (8 * part);
        return result;
    };
    const std::uint32_t a = signs(op.a);
    const std::uint32_t b = signs(op.b);
    const std::uint32_t c = signs(op.c);
    write_predicate(warp, op.p, look_up(op.m0, a, b, c), mask);
    write_predicate(warp, op.q, look_up(op.m1, a, b, c), mask);
}

/// Funnel shift of (c:a) by b. m0: 32-bit type (counts clamp at 32, else at 64); m1: count mask when wrapping, 0 when
/// clamping.
template <bool right, bool high, bool is_signed>
struct Funnel {
    static U32x8 apply(const MicroOp& op, U32x8 a, U32x8 b, U32x8 c) {
        const U32x8 count = op.m1 != 0 ? b & op.m1 : minimum(b, broadcast(op.m0 != 0 ? 32 : 64));
        const U32x8 beyond = count - 32U;  // wraps to a huge count, which shifts everything out, below 32
        const U32x8 back = 32U - count;
        if constexpr (right) {
            const U32x8 upper = is_signed ? shift_right_signed(c, count) : shift_right(c, count);
            if constexpr (high) return upper;
            const U32x8 far =
                is_signed ? shift_right_signed(c, beyond) & (U32x8)((S32x8)beyond >= 0) : shift_right(c, beyond);
            return shift_right(a, count) | shift_left(c, back) | far;
        } else {
            if constexpr (!high) return shift_left(a, count);
            return shift_left(c, count) | shift_right(a, back) | shift_left(a, beyond);
        }
    }
};

void lower_shift(Lowering& to, const isa::Instruction& instruction, MicroOp& op, bool uniform) {
    const auto& word = instruction.word;
    const auto type = static_cast<fields::ShiftType>(word.get(fields::shift_type));
    const bool narrow = type == fields::ShiftType::s32 || type == fields::ShiftType::u32;
    const bool is_signed = type == fields::ShiftType::s32 || type == fields::ShiftType::s64;
    const bool right = word.get(fields::shift_right) != 0;
    const bool high = word.get(fields::shift_high) != 0;
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    op.c = to.source(instruction.c);
    op.d = to.destination(instruction, uniform);
    op.m0 = narrow ? 1 : 0;
    op.m1 = word.get(fields::shift_wrap) != 0 ? (narrow ? 31U : 63U) : 0U;
    if (!right)
        high ? set_ternary<Funnel<false, true, false>>(op) : set_ternary<Funnel<false, false, false>>(op);
    else if (is_signed)
        high ? set_ternary<Funnel<true, true, true>>(op) : set_ternary<Funnel<true, false, true>>(op);
    else
        high ? set_ternary<Funnel<true, true, false>>(op) : set_ternary<Funnel<true, false, false>>(op);
}

/// PRMT with a fixed selector without sign replication: two byte shuffles. m0, m1: control words for a and c within a
/// lane.
struct PermuteFixed {
    static U32x8 shuffle(U32x8 value, std::uint32_t control) {
        constexpr U32x8 lane_base{0x00000000, 0x04040404, 0x08080808, 0x0c0c0c0c,
                                  0x00000000, 0x04040404, 0x08080808, 0x0c0c0c0c};
        return (U32x8)_mm256_shuffle_epi8((__m256i)value, (__m256i)(lane_base + control));
    }
    static U32x8 apply(const MicroOp& op, U32x8 a, U32x8 b) { return shuffle(a, op.m0) | shuffle(b, op.m1); }
};

/// PRMT a, selector b, c. m0: mode
struct Permute {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t selector, std::uint32_t c) {
        const std::uint64_t bytes = a | (static_cast<std::uint64_t>(c) << 32U);
        const auto byte = [&](std::uint32_t index) {
            return static_cast<std::uint32_t>(bytes >> (8U * (index & 7U))) & 0xffU;
        };
        std::uint32_t result = 0;
        const std::uint32_t low = selector & 3U;
        for (std::uint32_t i = 0; i < 4; ++i) {
            std::uint32_t value = 0;
            switch (static_cast<fields::PrmtMode>(op.m0)) {
                case fields::PrmtMode::index: {
                    const std::uint32_t nibble = selector >> (4U * i) & 15U;
                    value = byte(nibble);
                    if ((nibble & 8U) != 0) value = (value & 0x80U) != 0 ? 0xffU : 0U;
                    break;
                }
                case fields::PrmtMode::f4e: value = byte(low + i); break;
                case fields::PrmtMode::b4e: value = byte((low - i) & 7U); break;
                case fields::PrmtMode::rc8: value = byte(low); break;
                case fields::PrmtMode::ecl: value = byte(i < low ? low : i); break;
                case fields::PrmtMode::ecr: value = byte(i > low ? low : i); break;
                case fields::PrmtMode::rc16: value = byte((selector & 1U) * 2U + (i & 1U)); break;
            }
            result |= value << (8U * i);
        }
        return result;
    }
};

void lower_permute(Lowering& to, const isa::Instruction& instruction, MicroOp& op, bool uniform) {
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    op.c = to.source(instruction.c);
    op.d = to.destination(instruction, uniform);
    op.m0 = static_cast<std::uint32_t>(instruction.word.get(fields::prmt_mode));
    set_lanewise<Permute>(op);
    const std::uint32_t selector = instruction.b.value;
    if (instruction.b.kind != isa::OperandKind::immediate || op.m0 != 0 || (selector & 0x8888U) != 0) return;
    op.m0 = op.m1 = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t nibble = selector >> (4U * i) & 7U;
        op.m0 |= (nibble < 4 ? nibble : 0x80U) << (8U * i);
        op.m1 |= (nibble < 4 ? 0x80U : nibble - 4U) << (8U * i);
    }
    op.b = op.c;
    set_binary<PermuteFixed>(op);
}

/// m0: all ones complements the source
struct CountBits {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t, std::uint32_t) {
        return static_cast<std::uint32_t>(std::popcount(a ^ op.m0));
    }
};
struct ReverseBits {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t, std::uint32_t) {
        std::uint32_t value = __builtin_bswap32(a ^ op.m0);
        value = (value >> 4U & 0x0f0f0f0fU) | (value & 0x0f0f0f0fU) << 4U;
        value = (value >> 2U & 0x33333333U) | (value & 0x33333333U) << 2U;
        return (value >> 1U & 0x55555555U) | (value & 0x55555555U) << 1U;
    }
};
/// m1 bit 0: signed, bit 1: .SH (the shift that would bring the bit to the top)
void find_leading_one(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    std::uint32_t found = 0;
    for_each_lane(mask, [&](int lane) {
        std::uint32_t value = a[lane] ^ op.m0;
        if ((op.m1 & 1U) != 0 && (value >> 31U) != 0) value = ~value;
        found |= static_cast<std::uint32_t>(value != 0) << lane;
        const auto zeros = static_cast<std::uint32_t>(std::countl_zero(value));
        d[lane] = value == 0 ? full_mask : (op.m1 & 2U) != 0 ? zeros : 31U - zeros;
    });
    write_predicate(warp, op.p, found, mask);
}

/// m0: .W, m1: signed
struct ExtendSign {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t) {
        const std::uint32_t bits = op.m0 != 0 ? b & 31U : b;
        if (bits >= 32) return a;
        if (bits == 0) return 0;
        const std::uint32_t up = a << (32U - bits);
        return op.m1 != 0 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(up) >> (32U - bits))
                          : up >> (32U - bits);
    }
};
/// a: first bit, b: width; m0: .W
struct BitMask {
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t) {
        const std::uint32_t first = op.m0 != 0 ? a & 31U : a;
        const std::uint32_t width = op.m0 != 0 ? b & 31U : b;
        const std::uint32_t ones = width >= 32 ? full_mask : (1U << width) - 1U;
        return first >= 32 ? 0U : ones << first;
    }
};

}  // namespace

bool lower_logic(Lowering& to, const isa::Instruction& instruction, MicroOp& op, Opcode opcode, bool uniform) {
    const auto& word = instruction.word;
    const isa::Operand& first = instruction.a.kind == isa::OperandKind::none ? instruction.b : instruction.a;
    const auto unary_sources = [&] {
        op.a = to.source(first);
        op.b = op.c = 1;
        op.d = to.destination(instruction, uniform);
        op.m0 = first.negate ? full_mask : 0;
    };
    switch (opcode) {
        case Opcode::LOP3: lower_lop3(to, instruction, op, uniform); return true;
        case Opcode::PLOP3:
            to.predicates_written(op, instruction, uniform);
            if (instruction.c.kind != isa::OperandKind::none) {
                op.a = to.source(instruction.a);
                op.b = to.source(instruction.b);
                op.c = to.source(instruction.c);
                op.m0 = static_cast<std::uint32_t>(word.get(fields::plop3_sign_table));
                op.m1 = static_cast<std::uint32_t>(word.get(fields::plop3_second_table));
                set_both(op, &sign_logic);
                return true;
            }
            if (instruction.a.kind != isa::OperandKind::none) return false;  // signs and predicates mixed
            to.predicate_p(op, instruction, uniform);
            to.predicate_q(op, instruction, uniform);
            to.predicate_r(op, instruction, uniform || word.get(fields::plop3_uniform_source) != 0);
            op.m0 = static_cast<std::uint32_t>(word.get(fields::plop3_table_low) | word.get(fields::plop3_table_high)
                                                                                       << 3U);
            op.m1 = static_cast<std::uint32_t>(word.get(fields::plop3_second_table));
            set_both(op, &predicate_logic);
            return true;
        case Opcode::SHF: lower_shift(to, instruction, op, uniform); return true;
        case Opcode::PRMT: lower_permute(to, instruction, op, uniform); return true;
        case Opcode::POPC:
            unary_sources();
            set_lanewise<CountBits>(op);
            return true;
        case Opcode::BREV:
            unary_sources();
            set_lanewise<ReverseBits>(op);
            return true;
        case Opcode::FLO:
            unary_sources();
            to.predicates_written(op, instruction, uniform);
            op.m1 = static_cast<std::uint32_t>(word.get(fields::integer_signed) | word.get(fields::flo_shift) << 1U);
            set_both(op, &find_leading_one);
            return true;
        case Opcode::SGXT:
        case Opcode::BMSK:
            op.a = to.source(instruction.a);
            op.b = to.source(instruction.b);
            op.c = 1;
            op.d = to.destination(instruction, uniform);
            op.m0 = static_cast<std::uint32_t>(word.get(fields::sgxt_wrap));
            op.m1 = static_cast<std::uint32_t>(word.get(fields::integer_signed));
            opcode == Opcode::SGXT ? set_lanewise<ExtendSign>(op) : set_lanewise<BitMask>(op);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::sim
