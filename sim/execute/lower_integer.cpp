// Integer arithmetic, vector and uniform (the uniform datapath computes what one lane would).
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

struct Add {
    static U32x8 apply(const MicroOp&, U32x8 a, U32x8 b) { return a + b; }
};
struct AddThree {
    static U32x8 apply(const MicroOp&, U32x8 a, U32x8 b, U32x8 c) { return a + b + c; }
};
/// m0 bits 0..2: sources that are negated.
struct AddThreeNegated {
    static U32x8 apply(const MicroOp& op, U32x8 a, U32x8 b, U32x8 c) {
        const std::uint32_t na = 0U - (op.m0 & 1U);
        const std::uint32_t nb = 0U - (op.m0 >> 1U & 1U);
        const std::uint32_t nc = 0U - (op.m0 >> 2U & 1U);
        return (a ^ na) + (b ^ nb) + (c ^ nc) - (na + nb + nc);
    }
};

/// Sum of complemented-where-wanted sources plus small constants; carries counted in whole lanes.
struct CarrySum {
    U32x8 sum;
    U32x8 carries;  ///< minus the number of carries
    void start(U32x8 a) {
        sum = a;
        carries = U32x8{};
    }
    void add(U32x8 b) {
        const U32x8 next = sum + b;
        carries += less(next, sum);
        sum = next;
    }
};

/// IADD3 with carries: m0 bits 0..2 complement the sources, m1 is the constant added (one for each negation unless .X),
/// m2: .X.
template <bool full>
void add_three_carry(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const U32x8* c = row(warp, op.c);
    const std::uint32_t na = 0U - (op.m0 & 1U);
    const std::uint32_t nb = 0U - (op.m0 >> 1U & 1U);
    const std::uint32_t nc = 0U - (op.m0 >> 2U & 1U);
    const std::uint32_t carry_in = op.m2 != 0 ? source_predicate<0>(warp, op) : 0;
    const std::uint32_t second_in = op.m2 != 0 ? source_predicate<1>(warp, op) : 0;
    std::uint32_t once = 0;
    std::uint32_t twice = 0;
    for (int part = 0; part < parts; ++part) {
        CarrySum total{};
        total.start(a[part] ^ na);
        total.add(b[part] ^ nb);
        total.add(c[part] ^ nc);
        if (op.m2 != 0)
            total.add(U32x8{} - expand(carry_in, part) - expand(second_in, part));
        else
            total.add(broadcast(op.m1));
        once |= collect((U32x8)(total.carries != 0U)) << (8 * part);
        twice |= collect((U32x8)(total.carries < 0xffffffffU) & (U32x8)(total.carries != 0U)) << (8 * part);
        store<full>(d, total.sum, mask, part);
    }
    write_predicate(warp, op.p, once, mask);
    write_predicate(warp, op.q, twice, mask);
}

/// LEA: m0 bit 0, 1: complement of the shifted source and of b; bit 2: .HI; bit 3: .SX32; bit 4: .X; m1: shift; m2:
/// constant added.
template <bool full>
void load_effective_address(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const U32x8* c = row(warp, op.c);
    const std::uint32_t na = 0U - (op.m0 & 1U);
    const std::uint32_t nb = 0U - (op.m0 >> 1U & 1U);
    const bool high = (op.m0 & 4U) != 0;
    const bool sign = (op.m0 & 8U) != 0;
    const std::uint32_t carry_in = (op.m0 & 16U) != 0 ? source_predicate<0>(warp, op) : 0;
    const U32x8 shift = broadcast(op.m1);
    const U32x8 back = broadcast(32U - op.m1);
    std::uint32_t carry = 0;
    for (int part = 0; part < parts; ++part) {
        U32x8 shifted = shift_left(a[part], shift);
        if (high) {
            const U32x8 upper = sign ? shift_right_signed(a[part], broadcast(31)) : c[part];
            shifted = shift_left(upper, shift) | shift_right(a[part], back);
        }
        CarrySum total{};
        total.start(shifted ^ na);
        total.add(b[part] ^ nb);
        total.add(broadcast(op.m2) - expand(carry_in, part));
        carry |= collect((U32x8)(total.carries != 0U)) << (8 * part);
        store<full>(d, total.sum, mask, part);
    }
    write_predicate(warp, op.p, carry, mask);
}

struct MultiplyAdd {
    static U32x8 apply(const MicroOp&, U32x8 a, U32x8 b, U32x8 c) { return a * b + c; }
};
/// m0: all ones complements c; m1: constant added.
struct MultiplyAddNegated {
    static U32x8 apply(const MicroOp& op, U32x8 a, U32x8 b, U32x8 c) { return a * b + (c ^ op.m0) + op.m1; }
};
template <bool full>
void multiply_add_carry(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const U32x8* c = row(warp, op.c);
    const std::uint32_t carry_in = source_predicate<0>(warp, op);
    for (int part = 0; part < parts; ++part)
        store<full>(d, a[part] * b[part] + (c[part] ^ op.m0) - expand(carry_in, part), mask, part);
}

/// IMAD.WIDE: pair d = a * b + pair c; m0: complement of c, m1: constant added.
template <bool is_signed, bool full>
void multiply_add_wide(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const U32x8* c = row(warp, op.c);
    for (int part = 0; part < parts; ++part) {
        Wide product = multiply_wide<is_signed>(a[part], b[part]);
        const Wide addend = join(c[part], c[parts + part]);
        product.even += addend.even;
        product.odd += addend.odd;
        store<full>(d, low_half(product), mask, part);
        store<full>(d + parts, high_half(product), mask, part);
    }
}

/// All of IMAD.WIDE and IMAD.HI. m0 bit 0: c complemented, bit 1: signed, bit 2: .HI, bit 3: .X; m1: constant added; p:
/// carry out.
void multiply_add_wide_general(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    const std::uint32_t* c = words(row(warp, op.c));
    const std::uint32_t carry_in = (op.m0 & 8U) != 0 ? source_predicate<0>(warp, op) : 0;
    std::uint32_t carry = 0;
    for_each_lane(mask, [&](int lane) {
        const std::uint64_t product =
            (op.m0 & 2U) != 0
                ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(a[lane])) *
                                             static_cast<std::int32_t>(b[lane]))
                : static_cast<std::uint64_t>(a[lane]) * b[lane];
        std::uint64_t addend = read_pair(c, lane);
        if ((op.m0 & 1U) != 0) addend = ~addend;
        const std::uint64_t first = product + addend;
        const std::uint64_t sum = first + op.m1 + (carry_in >> lane & 1U);
        carry |= static_cast<std::uint32_t>(first < product || sum < first) << lane;
        if ((op.m0 & 4U) != 0)
            d[lane] = static_cast<std::uint32_t>(sum >> 32U);
        else
            write_pair(d, lane, sum);
    });
    write_predicate(warp, op.p, carry, mask);
}

// ---- rarer ------------------------------------------------------------------------------------------------------
struct Absolute {
    static U32x8 apply(const MicroOp&, U32x8 a) { return (U32x8)_mm256_abs_epi32((__m256i)a); }
};
struct AddHalves {  // VIADD.16x2; m0: b negated
    static U32x8 apply(const MicroOp& op, U32x8 a, U32x8 b) {
        const auto y = op.m0 != 0 ? _mm256_sub_epi16(_mm256_setzero_si256(), (__m256i)b) : (__m256i)b;
        return (U32x8)_mm256_add_epi16((__m256i)a, y);
    }
};
void lower_multiply(Lowering& to, const isa::Instruction& instruction, MicroOp& op, Opcode opcode, bool uniform) {
    const auto& word = instruction.word;
    const bool extended = word.get(fields::extended) != 0;
    const bool is_signed = word.get(fields::integer_signed) != 0;
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    if (opcode == Opcode::IMAD) {
        op.c = to.source(instruction.c);
        op.d = to.destination(instruction, uniform);
        op.m0 = instruction.c.negate ? full_mask : 0;
        op.m1 = instruction.c.negate && !extended ? 1 : 0;
        if (extended) {
            to.predicate_p(op, instruction, uniform);
            op.full = &multiply_add_carry<true>;
            op.masked = &multiply_add_carry<false>;
        } else if (op.a == 1 && op.b == 1 && !instruction.c.negate) {  // IMAD.MOV
            op.a = op.c;
            op.b = 1;
            set_binary<Add>(op);
        } else if (instruction.c.negate) {
            set_ternary<MultiplyAddNegated>(op);
        } else {
            set_ternary<MultiplyAdd>(op);
        }
        return;
    }
    op.c = to.source(instruction.c, 2);
    op.d = to.destination(instruction, uniform, opcode == Opcode::IMAD_WIDE ? 2 : 1);
    to.predicates_written(op, instruction, uniform);
    op.m0 = (instruction.c.negate ? 1U : 0U) | (is_signed ? 2U : 0U) | (opcode == Opcode::IMAD_HI ? 4U : 0U) |
            (extended ? 8U : 0U);
    op.m1 = instruction.c.negate && !extended ? 1 : 0;
    if (extended) to.predicate_p(op, instruction, uniform);
    if (opcode == Opcode::IMAD_WIDE && (op.m0 & ~2U) == 0 && op.p == predicate_sink) {
        op.full = is_signed ? &multiply_add_wide<true, true> : &multiply_add_wide<false, true>;
        op.masked = is_signed ? &multiply_add_wide<true, false> : &multiply_add_wide<false, false>;
    } else {
        set_both(op, &multiply_add_wide_general);
    }
}

void lower_add_three(Lowering& to, const isa::Instruction& instruction, MicroOp& op, bool uniform) {
    const bool extended = instruction.word.get(fields::extended) != 0;
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    op.c = to.source(instruction.c);
    op.d = to.destination(instruction, uniform);
    to.predicates_written(op, instruction, uniform);
    op.m0 = (instruction.a.negate ? 1U : 0U) | (instruction.b.negate ? 2U : 0U) | (instruction.c.negate ? 4U : 0U);
    op.m1 = extended ? 0 : static_cast<std::uint32_t>(std::popcount(op.m0));
    op.m2 = extended ? 1 : 0;
    if (extended || op.p != predicate_sink || op.q != predicate_sink) {
        if (extended) {
            to.predicate_p(op, instruction, uniform);
            to.predicate_q(op, instruction, uniform);
        }
        op.full = &add_three_carry<true>;
        op.masked = &add_three_carry<false>;
    } else if (op.m0 != 0) {
        set_ternary<AddThreeNegated>(op);
    } else if (op.c == 1) {
        set_binary<Add>(op);
    } else {
        set_ternary<AddThree>(op);
    }
}

void lower_lea(Lowering& to, const isa::Instruction& instruction, MicroOp& op, bool uniform) {
    const auto& word = instruction.word;
    const bool extended = word.get(fields::extended) != 0;
    const bool high = word.get(fields::lea_high) != 0;
    const bool sign = word.get(fields::lea_sign_extend) != 0;
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    op.c = high && !sign ? (uniform ? to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_c)))
                                    : to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_c))))
                         : 1U;
    op.d = to.destination(instruction, uniform);
    to.predicates_written(op, instruction, uniform);
    if (extended) to.predicate_p(op, instruction, uniform);
    op.m0 = (instruction.a.negate ? 1U : 0U) | (instruction.b.negate ? 2U : 0U) | (high ? 4U : 0U) | (sign ? 8U : 0U) |
            (extended ? 16U : 0U);
    op.m1 = static_cast<std::uint32_t>(word.get(fields::lea_shift));
    op.m2 = extended ? 0 : static_cast<std::uint32_t>(std::popcount(op.m0 & 3U));
    op.full = &load_effective_address<true>;
    op.masked = &load_effective_address<false>;
}

}  // namespace

bool lower_integer(Lowering& to, const isa::Instruction& instruction, MicroOp& op, Opcode opcode, bool uniform) {
    const auto& word = instruction.word;
    const auto binary_sources = [&] {
        op.a = to.source(instruction.a);
        op.b = to.source(instruction.b);
        op.d = to.destination(instruction, uniform);
    };
    switch (opcode) {
        case Opcode::IADD3: lower_add_three(to, instruction, op, uniform); return true;
        case Opcode::LEA: lower_lea(to, instruction, op, uniform); return true;
        case Opcode::IMAD:
        case Opcode::IMAD_WIDE:
        case Opcode::IMAD_HI: lower_multiply(to, instruction, op, opcode, uniform); return true;
        case Opcode::VIADD:
            binary_sources();
            op.c = 1;
            if (word.bit(73)) {
                if (instruction.a.negate) return false;
                op.m0 = instruction.b.negate ? 1 : 0;
                set_binary<AddHalves>(op);
            } else {
                op.m0 = (instruction.a.negate ? 1U : 0U) | (instruction.b.negate ? 2U : 0U);
                if (op.m0 != 0)
                    set_ternary<AddThreeNegated>(op);
                else
                    set_binary<Add>(op);
            }
            return true;
        case Opcode::IABS:
            op.a = to.source(instruction.a.kind == isa::OperandKind::none ? instruction.b : instruction.a);
            op.d = to.destination(instruction, uniform);
            set_unary<Absolute>(op);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::sim
