// Integer comparison, vector and uniform.
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

using Compare = fields::IntegerCompare;

template <Compare compare, bool is_signed>
U32x8 compare_lanes(U32x8 a, U32x8 b) {
    if constexpr (compare == Compare::f) return U32x8{};
    if constexpr (compare == Compare::t) return ~U32x8{};
    if constexpr (compare == Compare::eq) return (U32x8)(a == b);
    if constexpr (compare == Compare::ne) return (U32x8)(a != b);
    if constexpr (is_signed) {
        const auto x = (S32x8)a;
        const auto y = (S32x8)b;
        if constexpr (compare == Compare::lt) return (U32x8)(x < y);
        if constexpr (compare == Compare::le) return (U32x8)(x <= y);
        if constexpr (compare == Compare::gt) return (U32x8)(x > y);
        if constexpr (compare == Compare::ge) return (U32x8)(x >= y);
    } else {
        if constexpr (compare == Compare::lt) return (U32x8)(a < b);
        if constexpr (compare == Compare::le) return (U32x8)(a <= b);
        if constexpr (compare == Compare::gt) return (U32x8)(a > b);
        if constexpr (compare == Compare::ge) return (U32x8)(a >= b);
    }
    return U32x8{};
}

/// m0: set operation
template <Compare compare, bool is_signed>
void set_predicate(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    std::uint32_t result = 0;
    for (int part = 0; part < parts; ++part)
        result |= collect(compare_lanes<compare, is_signed>(a[part], b[part])) << (8 * part);
    const std::uint32_t other = source_predicate<0>(warp, op);
    write_predicate(warp, op.p, combine(op.m0, result, other), mask);
    write_predicate(warp, op.q, combine(op.m0, ~result, other), mask);
}

/// .EX: the high words decide unless they are equal; then the low words' result, source predicate 2, does.
template <Compare compare, bool is_signed>
void set_predicate_extended(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    constexpr Compare strict = compare == Compare::le ? Compare::lt : compare == Compare::ge ? Compare::gt : compare;
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    std::uint32_t high = 0;
    std::uint32_t equal = 0;
    for (int part = 0; part < parts; ++part) {
        high |= collect(compare_lanes<strict, is_signed>(a[part], b[part])) << (8 * part);
        equal |= collect((U32x8)(a[part] == b[part])) << (8 * part);
    }
    const std::uint32_t low = source_predicate<2>(warp, op);
    std::uint32_t result = high | (equal & low);
    if constexpr (compare == Compare::eq) result = equal & low;
    if constexpr (compare == Compare::ne) result = ~equal | low;
    if constexpr (compare == Compare::f || compare == Compare::t) result = high;
    const std::uint32_t other = source_predicate<0>(warp, op);
    write_predicate(warp, op.p, combine(op.m0, result, other), mask);
    write_predicate(warp, op.q, combine(op.m0, ~result, other), mask);
}

template <Compare compare>
Handler comparison(bool is_signed, bool extended) {
    if (extended) return is_signed ? &set_predicate_extended<compare, true> : &set_predicate_extended<compare, false>;
    return is_signed ? &set_predicate<compare, true> : &set_predicate<compare, false>;
}
Handler comparison(Compare compare, bool is_signed, bool extended) {
    switch (compare) {
        case Compare::f: return comparison<Compare::f>(is_signed, extended);
        case Compare::lt: return comparison<Compare::lt>(is_signed, extended);
        case Compare::eq: return comparison<Compare::eq>(is_signed, extended);
        case Compare::le: return comparison<Compare::le>(is_signed, extended);
        case Compare::gt: return comparison<Compare::gt>(is_signed, extended);
        case Compare::ne: return comparison<Compare::ne>(is_signed, extended);
        case Compare::ge: return comparison<Compare::ge>(is_signed, extended);
        case Compare::t: return comparison<Compare::t>(is_signed, extended);
    }
    return nullptr;
}

}  // namespace

bool lower_comparison(Lowering& to, const isa::Instruction& instruction, MicroOp& op, Opcode opcode, bool uniform) {
    if (opcode != Opcode::ISETP) return false;
    const auto& word = instruction.word;
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    to.predicates_written(op, instruction, uniform);
    to.predicate_p(op, instruction, uniform);
    const bool extended = word.get(fields::isetp_extended) != 0;
    if (extended) to.predicate_r(op, instruction, uniform);
    op.m0 = static_cast<std::uint32_t>(word.get(fields::set_operation));
    set_both(op, comparison(static_cast<Compare>(word.get(fields::integer_compare)),
                            word.get(fields::integer_signed) != 0, extended));
    return true;
}

}  // namespace sassafras::sim
