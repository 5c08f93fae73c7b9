// Atomic operations on global, generic and shared memory. Lanes act in lane order, and nobody else meanwhile: what is
// done while other parts execute has no result, and is done when they have ended (concurrent/).
#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/sass/address_width.hpp"
#include "isa/sass/atomic_type.hpp"
#include "sim/access/swap_lanes.hpp"
#include "sim/execute/atomic_update.hpp"
#include "sim/execute/concurrent/access_log.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/memory_access.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

using Operation = fields::AtomicOperation;
using Type = AtomicElement;
using Action = AtomicAction;
using Shape = AtomicShape;

using Datum = AtomicDatum;

enum class Space { global, generic, shared };

/// a: address (pair with m1 bit 0; scaled by m1 >> 8 for shared), m0: offset, b: operand, d: old value;
/// c: second operand of a swap, m2: Shape; or with m1 bit 1 the uniform part of the address (pair with m1 bit 2).
template <Space space>
void atomic(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const Shape shape = Shape::unpack(op.m2);
    const std::uint32_t size = shape.words() * 4;
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    const std::uint32_t* c = words(row(warp, op.c));
    std::uint32_t* d = words(row(warp, op.d));
    LaneAddresses address;
    auto offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(op.m0)));
    if (space != Space::shared && (op.m1 & 2U) != 0) offset += (op.m1 & 4U) != 0 ? read_pair(c, 0) : c[0];
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if constexpr (space == Space::shared)
            address.lane[lane] = (a[lane] << (op.m1 >> 8U)) + op.m0 + ((op.m1 & 2U) != 0 ? c[0] : 0U);
        else
            address.lane[lane] = ((op.m1 & 1U) != 0 ? read_pair(a, static_cast<int>(lane)) : a[lane]) + offset;
    }
    trace_global(warp, mask, address);
    if (mask == 0) return;
    std::uintptr_t base = 0;
    if constexpr (space == Space::global) {
        fill_inactive(address, mask);
        base = resolve_global(warp, op, address, mask, size, AccessKind::atomic);
        if (base == unresolved) return;
    }
    if constexpr (space == Space::shared) {
        alignas(64) std::array<std::uint32_t, warp_size> narrow_address;
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            narrow_address[lane] = static_cast<std::uint32_t>(address.lane[lane]);
        if (!check_shared(warp, op, narrow_address.data(), mask, size, AccessKind::atomic)) return;
    }
    std::uint32_t acting = mask;
    if constexpr (space == Space::shared) {
        const BankGeometry banks = warp.launch->request.banks;
        if (shape.action == Action::store_if_equal && banks.banks != 0)
            acting = acting_lanes({.mask = mask, .address = address.lane}, size, banks);
        for (unsigned word = 0; word < shape.words(); ++word)
            for_each_lane(mask & ~acting, [&](int lane) { d[word * warp_size + static_cast<unsigned>(lane)] = 0; });
    }
    // d may be a source as well: a lane reads its operands before it writes, and no other lane's are touched.
    bool good = true;
    std::uint32_t refused = 0;
    for_each_lane(acting, [&](int index) {
        if (!good) return;
        const auto lane = static_cast<std::size_t>(index);
        std::byte* host = nullptr;
        bool others_see = space == Space::global;
        if constexpr (space == Space::global) host = reinterpret_cast<std::byte*>(base + address.lane[lane]);
        if constexpr (space == Space::shared) host = warp.shared + static_cast<std::uint32_t>(address.lane[lane]);
        if constexpr (space == Space::generic) {
            others_see = !in_shared_window(address.lane[lane]) && !in_local_window(address.lane[lane]);
            if (shape.is_floating() && !others_see) {
                refused |= 1U << lane;
                return;
            }
            std::array<std::byte*, 4> located{};
            good = locate_generic(warp, op, static_cast<std::uint32_t>(index), address.lane[lane], size,
                                  AccessKind::atomic, located);
            if (!good) return;
            host = located[0];
        }
        Datum operand{};
        Datum second{};
        for (unsigned word = 0; word < shape.words(); ++word) {
            operand[word] = b[word * warp_size + lane];
            second[word] = c[word * warp_size + lane];
        }
        if (others_see && warp.log != nullptr) [[unlikely]] {
            warp.log->reduce({host, shape, operand, second});
            return;
        }
        const Datum result = update(shape, host, operand, second);
        for (unsigned word = 0; word < shape.words(); ++word) d[word * warp_size + lane] = result[word];
    });
    write_predicate(warp, op.p, ~refused, mask);
}

bool integer_type(std::uint64_t field, Type& type) {
    switch (static_cast<fields::AtomicType>(field)) {
        case fields::AtomicType::u32: type = Type::u32; return true;
        case fields::AtomicType::s32: type = Type::s32; return true;
        case fields::AtomicType::u64: type = Type::u64; return true;
        case fields::AtomicType::s64: type = Type::s64; return true;
        default: return false;
    }
}

/// `type` is an AtomicFloatType, `operation` 0 ADD, 1 MIN, 2 MAX.
bool float_shape(unsigned type, std::uint64_t operation, Shape& shape) {
    struct Vector {
        Type type;
        unsigned elements;
    };
    // By AtomicFloatType; what PTX has no instruction for (FP32 without flush) has no elements.
    constexpr std::array<Vector, 16> vectors{{{Type::f16x2, 1},
                                              {Type::f16x2, 2},
                                              {Type::f16x2, 4},
                                              {Type::bf16x2, 1},
                                              {Type::bf16x2, 2},
                                              {Type::bf16x2, 4},
                                              {},
                                              {},
                                              {},
                                              {Type::f32_flush, 1},
                                              {Type::f32_flush, 2},
                                              {Type::f32_flush, 4},
                                              {},
                                              {},
                                              {},
                                              {Type::f64, 1}}};
    const Vector vector = vectors[type];
    shape.type = vector.type;
    shape.elements = vector.elements;
    const bool small = shape.type == Type::f16x2 || shape.type == Type::bf16x2;
    switch (operation) {
        case 0: shape.operation = Operation::add; break;
        case 1: shape.operation = Operation::min; break;
        case 2: shape.operation = Operation::max; break;
        default: return false;
    }
    return shape.elements != 0 && (shape.operation == Operation::add || small);
}

bool swap_shape(const isa::Word128& word, const isa::AtomicDatum& datum, Space space, Shape& shape) {
    if (datum.floating) return false;
    switch (static_cast<fields::AtomicType>(datum.type)) {
        case fields::AtomicType::u32: shape.type = Type::b32; break;
        case fields::AtomicType::u64: shape.type = Type::b64; break;
        case fields::AtomicType::b128: shape.type = Type::b128; break;
        default: return false;
    }
    const std::uint64_t kind = word.get(fields::atomic_operation);
    shape.action = kind == fields::atomic_cast_spin ? Action::store_if_equal : Action::swap_if_equal;
    return kind == 0 || (kind == fields::atomic_cast_spin && space != Space::global && shape.type != Type::b128);
}

/// ATOMS.POPC.INC: adds to each word the number of lanes that address it, so each lane adds one.
bool lower_lane_count(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const std::uint64_t popc_inc = fields::atomics_popc_inc(instruction.architecture);
    constexpr std::uint32_t shift[4] = {0, 2, 3, 4};
    const auto& word = instruction.word;
    const bool returns = instruction.destination != isa::register_zero;
    if (word.get(fields::atomic_operation) != popc_inc || returns) return false;
    op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)));
    op.b = to.immediate(1);
    op.c = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_c)));
    op.p = predicate_sink;
    op.m0 = static_cast<std::uint32_t>(word.signed_bits(fields::memory_offset.first, fields::memory_offset.width));
    op.m1 = 2U | shift[word.get(fields::shared_stride)] << 8U;
    op.m2 = Shape{.type = Type::u32, .operation = Operation::add}.packed();
    set_both(op, &atomic<Space::shared>);
    return true;
}

}  // namespace

bool lower_atomic(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    Space space{};
    switch (instruction.opcode) {
        case Opcode::ATOMG:
        case Opcode::RED: space = Space::global; break;
        case Opcode::ATOM: space = Space::generic; break;
        case Opcode::ATOMS: space = Space::shared; break;
        default: return false;
    }
    const bool is_swap = instruction.form == isa::Form::compare_and_swap;
    const isa::AtomicDatum datum = isa::atomic_datum(instruction);
    const auto operation = [&] {
        if (instruction.form == isa::Form::floating) return word.get(fields::atomic_float_operation);
        return word.get(instruction.opcode == Opcode::RED ? fields::reduction_operation : fields::atomic_operation);
    };
    if (instruction.form == isa::Form::lane_count) return lower_lane_count(to, instruction, op);
    Shape shape;
    if (is_swap) {
        if (!swap_shape(word, datum, space, shape)) return false;
    } else if (datum.floating) {
        if (!float_shape(datum.type, operation(), shape)) return false;
    } else {
        shape.operation = static_cast<Operation>(operation());
        const bool is_128 = datum.type == static_cast<unsigned>(fields::AtomicType::b128);
        if (is_128 && shape.operation == Operation::exchange)
            shape.type = Type::b128;
        else if (!integer_type(datum.type, shape.type) || shape.operation > Operation::safe_add)
            return false;
    }
    const bool uniform_base = isa::names_uniform_register(instruction) &&
                              (space == Space::shared || word.get(fields::atomic_descriptor) == 0);
    if (uniform_base && is_swap) return false;
    const unsigned registers = shape.words();
    const bool pair = space != Space::shared && isa::base_is_pair(instruction);
    constexpr std::uint32_t shift[4] = {0, 2, 3, 4};
    op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)), pair ? 2 : 1);
    op.b = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)), registers);
    op.c = is_swap ? to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_c)), registers) : 1U;
    const bool uniform_pair = uniform_base && space != Space::shared && word.get(fields::address_64) != 0;
    if (uniform_base)
        op.c = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_c)), uniform_pair ? 2 : 1);
    op.d = instruction.opcode == Opcode::RED ? 0 : to.destination(instruction, false, registers);
    if (instruction.opcode != Opcode::RED) {
        const auto predicate = static_cast<std::uint8_t>(word.get(fields::predicate_u));
        op.p = predicate == isa::predicate_true || space == Space::shared ? predicate_sink : predicate;
    }
    op.m0 = static_cast<std::uint32_t>(word.signed_bits(fields::memory_offset.first, fields::memory_offset.width));
    op.m1 = (pair ? 1U : 0U) | (uniform_base ? 2U : 0U) | (uniform_pair ? 4U : 0U) |
            (space == Space::shared ? shift[word.get(fields::shared_stride)] << 8U : 0U);
    op.m2 = shape.packed();
    if (space == Space::generic) to.launch().uses_local = true;
    set_both(op, space == Space::global   ? &atomic<Space::global>
                 : space == Space::shared ? &atomic<Space::shared>
                                          : &atomic<Space::generic>);
    return true;
}

}  // namespace sassafras::sim
