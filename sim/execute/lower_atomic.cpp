// Atomic operations on global, generic and shared memory. Lanes act in lane order; execution is on one thread, so each
// is atomic.
#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/execute/float_ops.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/memory_access.hpp"
#include "sim/execute/small_float.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

using Operation = fields::AtomicOperation;

enum class Type : std::uint32_t {
    u32,
    s32,
    u64,
    s64,
    f32,
    f32_flush,
    f64,
    f16x2,
    bf16x2,
    compare_swap32,
    compare_swap64,
    swap_succeeds
};

constexpr bool is_wide(Type type) {
    return type == Type::u64 || type == Type::s64 || type == Type::f64 || type == Type::compare_swap64;
}

template <class T>
T integer_result(Operation operation, T old, T operand) {
    using Unsigned = std::make_unsigned_t<T>;
    switch (operation) {
        case Operation::add:
        case Operation::safe_add: return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(operand));
        case Operation::min: return std::min(old, operand);
        case Operation::max: return std::max(old, operand);
        case Operation::inc: return old >= operand ? T{0} : static_cast<T>(old + 1);
        case Operation::dec: return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
        case Operation::logical_and: return static_cast<T>(old & operand);
        case Operation::logical_or: return static_cast<T>(old | operand);
        case Operation::logical_xor: return static_cast<T>(old ^ operand);
        case Operation::exchange: return operand;
    }
    return old;
}

std::uint32_t flush_word(std::uint32_t bits) { return (bits & float_exponent) == 0 ? bits & float_sign : bits; }

std::uint32_t add_floats(std::uint32_t a, std::uint32_t b, bool flushes) {
    if (flushes) {
        a = flush_word(a);
        b = flush_word(b);
    }
    const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
    const std::uint32_t bits = std::isnan(sum) ? float_nan : std::bit_cast<std::uint32_t>(sum);
    return flushes ? flush_word(bits) : bits;
}

std::uint32_t add_pairs(std::uint32_t a, std::uint32_t b, SmallFormat format) {
    const auto half = [&](unsigned shift) {
        return narrow(fused_to_odd(widen(a >> shift & 0xffffU, format), 1.0, widen(b >> shift & 0xffffU, format)),
                      format)
               << shift;
    };
    return half(0) | half(16);
}

/// m2: type | operation << 8
std::uint64_t result_of(Type type, Operation operation, std::uint64_t old, std::uint64_t operand,
                        std::uint64_t second) {
    const auto old32 = static_cast<std::uint32_t>(old);
    const auto operand32 = static_cast<std::uint32_t>(operand);
    switch (type) {
        case Type::u32: return integer_result<std::uint32_t>(operation, old32, operand32);
        case Type::s32:
            return static_cast<std::uint32_t>(integer_result<std::int32_t>(operation, static_cast<std::int32_t>(old32),
                                                                           static_cast<std::int32_t>(operand32)));
        case Type::u64: return integer_result<std::uint64_t>(operation, old, operand);
        case Type::s64:
            return static_cast<std::uint64_t>(integer_result<std::int64_t>(operation, static_cast<std::int64_t>(old),
                                                                           static_cast<std::int64_t>(operand)));
        case Type::f32: return add_floats(old32, operand32, false);
        case Type::f32_flush: return add_floats(old32, operand32, true);
        case Type::f64:
            return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(operand));
        case Type::f16x2: return add_pairs(old32, operand32, half_format);
        case Type::bf16x2: return add_pairs(old32, operand32, bfloat_format);
        case Type::compare_swap32:
        case Type::compare_swap64:
        case Type::swap_succeeds: return old == operand ? second : old;
    }
    return old;
}

/// Reads, modifies and writes one lane; returns the old value.
std::uint64_t modify(const MicroOp& op, std::byte* host, std::uint64_t operand, std::uint64_t second) {
    const auto type = static_cast<Type>(op.m2 & 0xffU);
    const std::size_t size = is_wide(type) ? 8 : 4;
    std::uint64_t old = 0;
    std::memcpy(&old, host, size);
    const std::uint64_t fresh = result_of(type, static_cast<Operation>(op.m2 >> 8U), old, operand, second);
    std::memcpy(host, &fresh, size);
    if (type == Type::swap_succeeds)
        return static_cast<std::uint64_t>(old == operand);  // ATOMS.CAST tells success instead
    return old;
}

enum class Space { global, generic, shared };

/// a: address (pair with m1 bit 0; scaled by m1 >> 8 for shared), m0: offset, b: operand, d: old value;
/// c: second operand of a swap, or with m1 bit 1 the uniform base of a shared address.
template <Space space>
void atomic(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const auto type = static_cast<Type>(op.m2 & 0xffU);
    const std::uint32_t size = is_wide(type) ? 8 : 4;
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    const std::uint32_t* c = words(row(warp, op.c));
    std::uint32_t* d = words(row(warp, op.d));
    LaneAddresses address;
    const auto offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(op.m0)));
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if constexpr (space == Space::shared)
            address.lane[lane] = (a[lane] << (op.m1 >> 8U)) + op.m0 + ((op.m1 & 2U) != 0 ? c[0] : 0U);
        else
            address.lane[lane] = ((op.m1 & 1U) != 0 ? read_pair(a, static_cast<int>(lane)) : a[lane]) + offset;
    }
    warp.trace->push_access(mask, address.lane.data());
    if (mask == 0) return;
    std::uintptr_t base = 0;
    if constexpr (space == Space::global) {
        fill_inactive(address, mask);
        base = resolve_global(warp, op, address, mask, size, AccessKind::atomic);
        if (base == 0) return;
    }
    if constexpr (space == Space::shared) {
        alignas(64) std::array<std::uint32_t, warp_size> narrow_address;
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            narrow_address[lane] = static_cast<std::uint32_t>(address.lane[lane]);
        if (!check_shared(warp, op, narrow_address.data(), mask, size, AccessKind::atomic)) return;
    }
    // d may be a source as well: a lane reads its operands before it writes, and no other lane's are touched.
    bool good = true;
    for_each_lane(mask, [&](int index) {
        if (!good) return;
        const auto lane = static_cast<std::size_t>(index);
        std::byte* host = nullptr;
        if constexpr (space == Space::global) host = reinterpret_cast<std::byte*>(base + address.lane[lane]);
        if constexpr (space == Space::shared) host = warp.shared + static_cast<std::uint32_t>(address.lane[lane]);
        if constexpr (space == Space::generic) {
            std::array<std::byte*, 4> located{};
            good = locate_generic(warp, op, static_cast<std::uint32_t>(index), address.lane[lane], size,
                                  AccessKind::atomic, located);
            if (!good) return;
            host = located[0];
        }
        const std::uint64_t operand = size == 8 ? read_pair(b, index) : b[lane];
        const std::uint64_t second = size == 8 ? read_pair(c, index) : c[lane];
        const std::uint64_t old = modify(op, host, operand, second);
        if (size == 8)
            write_pair(d, index, old);
        else
            d[lane] = static_cast<std::uint32_t>(old);
    });
    write_predicate(warp, op.p, full_mask, mask);
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

bool float_type(std::uint64_t field, Type& type) {
    constexpr std::uint64_t f16x2 = 0;
    constexpr std::uint64_t f32_flush = 9;
    constexpr std::uint64_t f64 = 15;
    switch (field) {
        case f16x2: type = Type::f16x2; return true;
        case f32_flush: type = Type::f32_flush; return true;
        case f64: type = Type::f64; return true;
        default: return false;
    }
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
    const std::uint32_t base_key = instruction.key & 0x1ffU;
    const bool is_swap = base_key == 0x1a9 || base_key == 0x18b || base_key == 0x18d;
    const bool is_float = base_key == 0x1a3 || base_key == 0x1a2 || base_key == 0x1a6;
    Type type{};
    constexpr isa::Field reduction{87, 3};  // RED has one bit less
    auto operation =
        static_cast<Operation>(word.get(instruction.opcode == Opcode::RED ? reduction : fields::atomic_operation));
    if (is_swap) {
        if (!integer_type(word.get(fields::atomic_type), type)) return false;
        type = is_wide(type) ? Type::compare_swap64 : Type::compare_swap32;
        constexpr std::uint64_t cast_spin = 3;
        const std::uint64_t kind = word.get(fields::atomic_operation);
        if (kind == cast_spin && space == Space::shared && type == Type::compare_swap32)
            type = Type::swap_succeeds;
        else if (kind != 0)
            return false;
        operation = Operation::exchange;
    } else if (is_float) {
        if (!float_type(word.get(fields::atomic_float_type), type) || operation != Operation::add) return false;
    } else if (instruction.key == 0x1f8c) {
        return false;
    } else if (!integer_type(word.get(fields::atomic_type), type) || operation > Operation::safe_add) {
        return false;
    }
    const bool uniform_base = word.bit(91) && (space == Space::shared || word.get(fields::atomic_descriptor) == 0);
    if (uniform_base && (space != Space::shared || is_swap)) return false;
    const unsigned registers = is_wide(type) ? 2 : 1;
    const bool pair = space != Space::shared && word.get(fields::address_64) != 0;
    constexpr std::uint32_t shift[4] = {0, 2, 3, 4};
    op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)), pair ? 2 : 1);
    op.b = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)), registers);
    op.c = is_swap ? to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_c)), registers) : 1U;
    if (uniform_base) op.c = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_c)));
    op.d = instruction.opcode == Opcode::RED ? 0 : to.destination(instruction, false, registers);
    if (instruction.opcode != Opcode::RED) {
        const auto predicate = static_cast<std::uint8_t>(word.get(fields::predicate_u));
        op.p = predicate == isa::predicate_true || space == Space::shared ? predicate_sink : predicate;
    }
    op.m0 = static_cast<std::uint32_t>(word.signed_bits(fields::memory_offset.first, fields::memory_offset.width));
    op.m1 = (pair ? 1U : 0U) | (uniform_base ? 2U : 0U) |
            (space == Space::shared ? shift[word.get(fields::shared_stride)] << 8U : 0U);
    op.m2 = static_cast<std::uint32_t>(type) | static_cast<std::uint32_t>(operation) << 8U;
    if (space == Space::generic) to.launch().uses_local = true;
    set_both(op, space == Space::global   ? &atomic<Space::global>
                 : space == Space::shared ? &atomic<Space::shared>
                                          : &atomic<Space::generic>);
    return true;
}

}  // namespace sassafras::sim
