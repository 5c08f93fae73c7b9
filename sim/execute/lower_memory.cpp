// Loads and stores of global, generic, shared and local memory; cp.async.
#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/sass/address_width.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/memory_access.hpp"
#include "sim/execute/memory_values.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

using Size = fields::AccessSize;

/// a: base (pair with m1 bit 0), c: uniform pair added (constant zero row if none), m0: offset.
void global_addresses(Warp& warp, const MicroOp& op, LaneAddresses& address) {
    const U32x8* low = row(warp, op.a);
    const std::uint32_t* uniform = words(row(warp, op.c));
    const std::uint64_t offset =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(op.m0))) +
        (uniform[0] | static_cast<std::uint64_t>(uniform[warp_size]) << 32U);
    auto* out = reinterpret_cast<U64x4*>(address.lane.data());
    for (int part = 0; part < parts; ++part) {
        const Wide pair = join(low[part], (op.m1 & 1U) != 0 ? low[parts + part] : U32x8{});
        // Even and odd lanes back into order.
        const __m256i first = _mm256_unpacklo_epi64((__m256i)pair.even, (__m256i)pair.odd);
        const __m256i second = _mm256_unpackhi_epi64((__m256i)pair.even, (__m256i)pair.odd);
        out[2 * part] = (U64x4)_mm256_permute2x128_si256(first, second, 0x20) + offset;
        out[2 * part + 1] = (U64x4)_mm256_permute2x128_si256(first, second, 0x31) + offset;
    }
}

template <Size size>
void load_global(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    LaneAddresses address;
    global_addresses(warp, op, address);
    trace_global(warp, mask, address);
    if (mask == 0) return;
    if (mask != full_mask) fill_inactive(address, mask);
    const std::uintptr_t base = resolve_global(warp, op, address, mask, bytes_of(size), AccessKind::read);
    if (base == unresolved) return;
    load_rows<size>(warp, op, mask, [&](int lane) {
        return reinterpret_cast<const std::byte*>(base + address.lane[static_cast<std::size_t>(lane)]);
    });
}

template <Size size>
void store_global(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    LaneAddresses address;
    global_addresses(warp, op, address);
    trace_global(warp, mask, address);
    if (mask == 0) return;
    if (mask != full_mask) fill_inactive(address, mask);
    const std::uintptr_t base = resolve_global(warp, op, address, mask, bytes_of(size), AccessKind::write);
    if (base == unresolved) return;
    store_rows<size>(warp, op, mask, [&](int lane) {
        return reinterpret_cast<std::byte*>(base + address.lane[static_cast<std::size_t>(lane)]);
    });
}

/// Generic and local accesses go lane by lane: words of a local variable lie apart.
template <Size size, bool is_load, bool is_local>
void access_by_lane(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    LaneAddresses address;
    if constexpr (is_local) {
        const std::uint32_t* base = words(row(warp, op.a));
        const std::uint32_t added = op.m0 + words(row(warp, op.c))[0];
        for (std::size_t lane = 0; lane < warp_size; ++lane) address.lane[lane] = base[lane] + added;
    } else {
        global_addresses(warp, op, address);
    }
    trace_global(warp, mask, address);
    std::uint32_t* rows = words(row(warp, is_load ? op.d : op.b));
    bool good = true;
    for_each_lane(mask, [&](int lane) {
        if (!good) return;
        std::array<std::byte*, 4> host{};
        const std::uint64_t at = address.lane[static_cast<std::size_t>(lane)];
        const auto number = static_cast<std::uint32_t>(lane);
        const AccessKind kind = is_load ? AccessKind::read : AccessKind::write;
        good = is_local ? locate_local(warp, op, number, at, bytes_of(size), kind, host)
                        : locate_generic(warp, op, number, at, bytes_of(size), kind, host);
        if (!good) return;
        for (unsigned reg = 0; reg < registers_of(size); ++reg) {
            std::uint32_t* value = rows + reg * warp_size + number;
            if constexpr (is_load)
                *value = load_word<size>(host[reg]);
            else
                store_word<size>(host[reg], *value);
        }
    });
}

struct alignas(64) SharedAddresses {
    std::array<std::uint32_t, warp_size> lane;
};

/// a: index row, shifted by m1; c: uniform base; m0: offset.
void shared_addresses(Warp& warp, const MicroOp& op, SharedAddresses& address, std::uint32_t mask) {
    const U32x8* a = row(warp, op.a);
    const U32x8* uniform = row(warp, op.c);
    const U32x8 shift = broadcast(op.m1);
    auto* out = reinterpret_cast<U32x8*>(address.lane.data());
    for (int part = 0; part < parts; ++part) out[part] = shift_left(a[part], shift) + uniform[part] + op.m0;
    LaneAddresses wide;
    auto* wide_out = reinterpret_cast<__m256i*>(wide.lane.data());
    for (int i = 0; i < warp_size / 4; ++i)
        wide_out[i] = _mm256_cvtepu32_epi64(_mm_load_si128(reinterpret_cast<const __m128i*>(address.lane.data()) + i));
    warp.trace->push_access(mask, wide.lane.data());
}

template <Size size>
void load_shared(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    SharedAddresses address;
    shared_addresses(warp, op, address, mask);
    if (mask == 0 || !check_shared(warp, op, address.lane.data(), mask, bytes_of(size), AccessKind::read)) return;
    if (mask != full_mask) {
        const std::uint32_t any = address.lane[static_cast<std::size_t>(std::countr_zero(mask))];
        auto* vectors = reinterpret_cast<U32x8*>(address.lane.data());
        for (int part = 0; part < parts; ++part)
            vectors[part] = select(expand(mask, part), vectors[part], broadcast(any));
    }
    const std::byte* shared = warp.shared;
    load_rows<size>(warp, op, mask, [&](int lane) { return shared + address.lane[static_cast<std::size_t>(lane)]; });
}

template <Size size>
void store_shared(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    SharedAddresses address;
    shared_addresses(warp, op, address, mask);
    if (mask == 0 || !check_shared(warp, op, address.lane.data(), mask, bytes_of(size), AccessKind::write)) return;
    std::byte* shared = warp.shared;
    store_rows<size>(warp, op, mask, [&](int lane) { return shared + address.lane[static_cast<std::size_t>(lane)]; });
}

/// cp.async: a: global base pair, b: shared address; m0: global offset, m2: shared offset, m1 bits 8..: bytes.
/// Lanes where source predicate 0 does not hold write zeros. With .ZFILL (m1 bit 1) the low bits of the global address
/// say how many bytes at the end are zeros; the others come from the aligned address.
void copy_to_shared(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    LaneAddresses address;
    global_addresses(warp, op, address);
    const std::uint32_t size = op.m1 >> 8U;
    std::array<std::uint8_t, warp_size> missing{};  // bytes
    if ((op.m1 & 2U) != 0) {
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            missing[lane] = static_cast<std::uint8_t>(address.lane[lane] & (size - 1));
            address.lane[lane] -= missing[lane];
        }
    }
    const std::uint32_t copies = mask & source_predicate<0>(warp, op);
    const std::uint32_t* target = words(row(warp, op.b));
    SharedAddresses to;
    LaneAddresses wide;
    for (std::size_t lane = 0; lane < warp_size; ++lane) wide.lane[lane] = to.lane[lane] = target[lane] + op.m2;
    trace_global(warp, copies, address);
    warp.trace->push_access(mask, wide.lane.data());
    if (mask == 0 || !check_shared(warp, op, to.lane.data(), mask, size, AccessKind::write)) return;
    const std::uint32_t zeroed = (op.m1 & 2U) != 0 ? mask : mask & ~copies;
    for_each_lane(zeroed,
                  [&](int lane) { std::memset(warp.shared + to.lane[static_cast<std::size_t>(lane)], 0, size); });
    if (copies == 0) return;
    fill_inactive(address, copies);
    const std::uintptr_t base = resolve_global(warp, op, address, copies, size, AccessKind::read);
    if (base == unresolved) return;
    for_each_lane(copies, [&](int index) {
        const auto lane = static_cast<std::size_t>(index);
        copy_memory(warp.shared + to.lane[lane], reinterpret_cast<const std::byte*>(base + address.lane[lane]),
                    size - missing[lane]);
    });
}

/// QSPC: whether a generic address lies in a space. m0: offset, m1: address pair, m2: space
void query_space(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    enum : std::uint32_t {
        global,
        local,
        shared,
        cluster
    };  // shared memory of a cluster: without one, the block's own
    LaneAddresses address;
    global_addresses(warp, op, address);
    std::uint32_t inside = 0;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        const bool in_shared = in_shared_window(address.lane[lane]);
        const bool in_local = in_local_window(address.lane[lane]);
        const bool holds = op.m2 == global ? !in_shared && !in_local : op.m2 == local ? in_local : in_shared;
        inside |= static_cast<std::uint32_t>(holds) << lane;
    }
    write_predicate(warp, op.p, inside, mask);
}

enum class Space { global, generic, shared, local };

template <Size size>
void set_access(MicroOp& op, Space space, bool is_load) {
    switch (space) {
        case Space::global: set_both(op, is_load ? &load_global<size> : &store_global<size>); return;
        case Space::shared: set_both(op, is_load ? &load_shared<size> : &store_shared<size>); return;
        case Space::generic:
            set_both(op, is_load ? &access_by_lane<size, true, false> : &access_by_lane<size, false, false>);
            return;
        case Space::local:
            set_both(op, is_load ? &access_by_lane<size, true, true> : &access_by_lane<size, false, true>);
            return;
    }
}

bool lower_access(Lowering& to, const isa::Instruction& instruction, MicroOp& op, Space space, bool is_load) {
    const auto& word = instruction.word;
    const auto size = static_cast<Size>(word.get(fields::access_size));
    if (size > Size::b128) return false;
    const bool is_global = space == Space::global || space == Space::generic;
    const bool pair = is_global && isa::base_is_pair(instruction);
    const auto base = static_cast<std::uint8_t>(word.get(fields::register_a));
    op.a = to.vector_source(base, pair ? 2 : 1);
    // The generic forms without a uniform register have room for a whole word of offset.
    const bool wide_offset = instruction.form == isa::Form::wide_offset;
    const isa::Field offset = wide_offset ? fields::memory_offset_wide : fields::memory_offset;
    op.m0 = static_cast<std::uint32_t>(word.signed_bits(offset.first, offset.width));
    op.m1 = pair ? 1 : 0;
    op.c = 1;
    // A uniform register is added, unless it holds the memory descriptor (which execution does not need).
    const bool is_descriptor = is_global && word.get(fields::descriptor) != 0;
    if (isa::names_uniform_register(instruction) && !is_descriptor)
        op.c = to.uniform_source(
            static_cast<std::uint8_t>(word.get(is_load ? fields::uniform_register_b : fields::uniform_register_c)), 2);
    if (space == Space::shared) {
        constexpr std::uint32_t shift[4] = {0, 2, 3, 4};
        op.m1 = shift[word.get(fields::shared_stride)];
    }
    if (is_load)
        op.d = to.vector_destination(static_cast<std::uint8_t>(word.get(fields::destination)), registers_of(size));
    else
        op.b =
            to.vector_source(static_cast<std::uint8_t>(word.get(wide_offset ? fields::register_c : fields::register_b)),
                             registers_of(size));
    if (space == Space::local || space == Space::generic) to.launch().uses_local = true;
    switch (size) {
        case Size::u8: set_access<Size::u8>(op, space, is_load); break;
        case Size::s8: set_access<Size::s8>(op, space, is_load); break;
        case Size::u16: set_access<Size::u16>(op, space, is_load); break;
        case Size::s16: set_access<Size::s16>(op, space, is_load); break;
        case Size::b32: set_access<Size::b32>(op, space, is_load); break;
        case Size::b64: set_access<Size::b64>(op, space, is_load); break;
        case Size::b128: set_access<Size::b128>(op, space, is_load); break;
    }
    return true;
}

bool lower_copy_to_shared(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    constexpr isa::Field zero_fill{82, 1};
    constexpr isa::Field wide_address{70, 1};
    const auto size = static_cast<Size>(word.get(fields::access_size));
    if (instruction.form == isa::Form::uniform_target || size < Size::b32 || size > Size::b128) return false;
    const bool descriptor = word.get(fields::descriptor) != 0;
    op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)), 2);
    op.b = to.vector_source(static_cast<std::uint8_t>(word.get(fields::destination)));
    op.c = descriptor ? 1U : to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_c)), 2);
    op.m0 = static_cast<std::uint32_t>(word.signed_bits(32, 12));
    op.m1 = (descriptor || word.get(wide_address) != 0 ? 1U : 0U) | (word.get(zero_fill) != 0 ? 2U : 0U) |
            bytes_of(size) << 8U;
    op.m2 = static_cast<std::uint32_t>(word.signed_bits(44, 20));
    to.predicate_p(op, instruction, false);
    set_both(op, &copy_to_shared);
    return true;
}

}  // namespace

bool lower_memory(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    switch (instruction.opcode) {
        case Opcode::LDG:
            return instruction.word.get(fields::load_predicate) == 0 &&
                   lower_access(to, instruction, op, Space::global, true);
        case Opcode::STG: return lower_access(to, instruction, op, Space::global, false);
        case Opcode::LD:
            return instruction.word.get(fields::load_predicate) == 0 &&
                   lower_access(to, instruction, op, Space::generic, true);
        case Opcode::ST: return lower_access(to, instruction, op, Space::generic, false);
        case Opcode::LDS: return lower_access(to, instruction, op, Space::shared, true);
        case Opcode::STS: return lower_access(to, instruction, op, Space::shared, false);
        case Opcode::LDL: return lower_access(to, instruction, op, Space::local, true);
        case Opcode::STL: return lower_access(to, instruction, op, Space::local, false);
        case Opcode::QSPC:
            op.a = to.vector_source(static_cast<std::uint8_t>(instruction.word.get(fields::register_a)), 2);
            op.c = 1;
            op.m0 = static_cast<std::uint32_t>(
                instruction.word.signed_bits(fields::memory_offset.first, fields::memory_offset.width));
            op.m1 = 1;
            op.m2 = static_cast<std::uint32_t>(instruction.word.get(fields::qspc_space));
            to.predicates_written(op, instruction, false);
            set_both(op, &query_space);
            return !isa::names_uniform_register(instruction) && instruction.destination == isa::register_zero;
        case Opcode::LDGSTS: return lower_copy_to_shared(to, instruction, op);
        default: return false;
    }
}

}  // namespace sassafras::sim
