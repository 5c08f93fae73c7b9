// Shapes of handlers: an operation on vectors of eight lanes becomes one for a warp, with and without a mask.
#pragma once

#include "sim/execute/lanes.hpp"
#include "sim/execute/micro_op.hpp"
#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

template <bool full>
inline void store(U32x8* to, U32x8 value, std::uint32_t mask, int part) {
    if constexpr (full)
        to[part] = value;
    else
        to[part] = select(expand(mask, part), value, to[part]);
}

/// Op::apply(op, a, b, c) -> d
template <class Op, bool full>
void ternary(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const U32x8* c = row(warp, op.c);
    for (int part = 0; part < parts; ++part) store<full>(d, Op::apply(op, a[part], b[part], c[part]), mask, part);
}

template <class Op, bool full>
void binary(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    for (int part = 0; part < parts; ++part) store<full>(d, Op::apply(op, a[part], b[part]), mask, part);
}

template <class Op, bool full>
void unary(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    for (int part = 0; part < parts; ++part) store<full>(d, Op::apply(op, a[part]), mask, part);
}

/// Op::apply(op, a, b, c), one lane at a time.
template <class Op>
void lanewise(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    const std::uint32_t* c = words(row(warp, op.c));
    for_each_lane(mask, [&](int lane) { d[lane] = Op::apply(op, a[lane], b[lane], c[lane]); });
}

template <class Op>
void set_ternary(MicroOp& op) {
    op.full = &ternary<Op, true>;
    op.masked = &ternary<Op, false>;
}
template <class Op>
void set_binary(MicroOp& op) {
    op.full = &binary<Op, true>;
    op.masked = &binary<Op, false>;
}
template <class Op>
void set_unary(MicroOp& op) {
    op.full = &unary<Op, true>;
    op.masked = &unary<Op, false>;
}
template <class Op>
void set_lanewise(MicroOp& op) {
    op.full = op.masked = &lanewise<Op>;
}
inline void set_both(MicroOp& op, Handler handler) { op.full = op.masked = handler; }

/// 64-bit lane values in register pairs.
[[nodiscard]] inline std::uint64_t read_pair(const std::uint32_t* low, int lane) {
    return low[lane] | (static_cast<std::uint64_t>(low[warp_size + lane]) << 32U);
}
inline void write_pair(std::uint32_t* low, int lane, std::uint64_t value) {
    low[lane] = static_cast<std::uint32_t>(value);
    low[warp_size + lane] = static_cast<std::uint32_t>(value >> 32U);
}

/// AND, OR, XOR of two lane masks, by the set-operation field.
[[nodiscard]] inline std::uint32_t combine(std::uint32_t operation, std::uint32_t a, std::uint32_t b) {
    return operation == 0 ? a & b : operation == 1 ? a | b : a ^ b;
}

}  // namespace sassafras::sim
