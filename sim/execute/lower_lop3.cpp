// LOP3: any function of three inputs, by its truth table.
#include <array>
#include <utility>

#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

namespace fields = isa::fields;

namespace {

/// Truth table of two inputs, indexed by 2a + b.
template <unsigned table>
U32x8 two_inputs(U32x8 a, U32x8 b) {
    if constexpr (table == 0) return U32x8{};
    if constexpr (table == 1) return ~(a | b);
    if constexpr (table == 2) return ~a & b;
    if constexpr (table == 3) return ~a;
    if constexpr (table == 4) return a & ~b;
    if constexpr (table == 5) return ~b;
    if constexpr (table == 6) return a ^ b;
    if constexpr (table == 7) return ~(a & b);
    if constexpr (table == 8) return a & b;
    if constexpr (table == 9) return ~(a ^ b);
    if constexpr (table == 10) return b;
    if constexpr (table == 11) return ~a | b;
    if constexpr (table == 12) return a;
    if constexpr (table == 13) return a | ~b;
    if constexpr (table == 14) return a | b;
    return ~U32x8{};
}

/// LOP3's table is indexed by 4a + 2b + c: even entries hold where c is 0, odd ones where it is 1.
constexpr unsigned where_c(unsigned table, unsigned c) {
    return (table >> c & 1U) | (table >> (2 + c) & 1U) << 1U | (table >> (4 + c) & 1U) << 2U |
           (table >> (6 + c) & 1U) << 3U;
}

template <unsigned table>
struct Logic {
    static U32x8 apply(const MicroOp&, U32x8 a, U32x8 b, U32x8 c) {
        constexpr unsigned zero = where_c(table, 0);
        constexpr unsigned one = where_c(table, 1);
        if constexpr (zero == one) return two_inputs<zero>(a, b);
        if constexpr ((zero ^ one) == 15) return two_inputs<zero>(a, b) ^ c;
        if constexpr (zero == 0) return two_inputs<one>(a, b) & c;
        if constexpr (one == 0) return two_inputs<zero>(a, b) & ~c;
        if constexpr (zero == 15) return two_inputs<one>(a, b) | ~c;
        if constexpr (one == 15) return two_inputs<zero>(a, b) | c;
        return (two_inputs<one>(a, b) & c) | (two_inputs<zero>(a, b) & ~c);
    }
};

template <unsigned table, bool full>
void logic_predicate(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const U32x8* c = row(warp, op.c);
    std::uint32_t zero = 0;
    for (int part = 0; part < parts; ++part) {
        const U32x8 result = Logic<table>::apply(op, a[part], b[part], c[part]);
        zero |= collect((U32x8)(result == 0U)) << (8 * part);
        store<full>(d, result, mask, part);
    }
    const std::uint32_t other = source_predicate<0>(warp, op);
    write_predicate(warp, op.p, op.m0 != 0 ? ~zero & other : ~zero | other, mask);
}

struct LogicHandlers {
    Handler full;
    Handler masked;
    Handler full_predicate;
    Handler masked_predicate;
};

/// LOP3's table for its inputs in another order: the i-th is then the order[i]-th of before.
using InputOrder = std::array<std::uint8_t, 3>;
constexpr std::array<InputOrder, 6> input_orders{{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
constexpr std::uint8_t reordered(unsigned table, const InputOrder& order) {
    unsigned result = 0;
    for (unsigned entry = 0; entry < 8; ++entry) {
        unsigned before = 0;
        for (unsigned i = 0; i < 3; ++i) before |= (entry >> (2 - i) & 1U) << (2 - order[i]);
        result |= (table >> before & 1U) << entry;
    }
    return static_cast<std::uint8_t>(result);
}

/// Of 256 functions of three inputs 80 are left if their order does not count: only these are compiled.
struct Canonical {
    std::uint8_t table = 255;
    std::uint8_t order = 0;  ///< in input_orders
};
constexpr Canonical canonical(unsigned table) {
    Canonical least;
    for (std::uint8_t order = 0; order < input_orders.size(); ++order)
        if (const std::uint8_t other = reordered(table, input_orders[order]); order == 0 || other < least.table)
            least = {other, order};
    return least;
}

template <unsigned table>
constexpr LogicHandlers handlers_of() {
    if constexpr (canonical(table).table != table)
        return {};  // never looked up
    else
        return {&ternary<Logic<table>, true>, &ternary<Logic<table>, false>, &logic_predicate<table, true>,
                &logic_predicate<table, false>};
}
template <std::size_t... table>
constexpr std::array<LogicHandlers, sizeof...(table)> logic_handlers(std::index_sequence<table...>) {
    return {handlers_of<table>()...};
}
constexpr auto logic_table = logic_handlers(std::make_index_sequence<256>{});

}  // namespace

void lower_lop3(Lowering& to, const isa::Instruction& instruction, MicroOp& op, bool uniform) {
    const Canonical logic = canonical(static_cast<unsigned>(instruction.word.get(fields::lop3_table)));
    const InputOrder& order = input_orders[logic.order];
    const std::array sources{to.source(instruction.a), to.source(instruction.b), to.source(instruction.c)};
    op.a = sources[order[0]];
    op.b = sources[order[1]];
    op.c = sources[order[2]];
    op.d = to.destination(instruction, uniform);
    to.predicates_written(op, instruction, uniform);
    const LogicHandlers& handlers = logic_table[logic.table];
    if (op.p == predicate_sink) {
        op.full = handlers.full;
        op.masked = handlers.masked;
    } else {
        to.predicate_p(op, instruction, uniform);
        op.m0 = static_cast<std::uint32_t>(instruction.word.get(fields::lop3_predicate_and));
        op.full = handlers.full_predicate;
        op.masked = handlers.masked_predicate;
    }
}

}  // namespace sassafras::sim
