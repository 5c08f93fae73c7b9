// Loads from constant banks. Constants are known at launch: a fixed address becomes a move.
#include <bit>
#include <cstring>

#include "isa/sass/constant_load.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/memory_values.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

struct Copy {
    static U32x8 apply(const MicroOp&, U32x8 a) { return a; }
};
template <bool full>
void copy_pair(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    for (int part = 0; part < parts; ++part) {
        store<full>(d, a[part], mask, part);
        store<full>(d + parts, a[parts + part], mask, part);
    }
}

std::uint64_t extended(std::uint64_t value, fields::AccessSize size) {
    std::int32_t wide = 0;
    if (size == fields::AccessSize::s8)
        wide = static_cast<std::int8_t>(value);
    else if (size == fields::AccessSize::s16)
        wide = static_cast<std::int16_t>(value);
    else
        return value;
    return static_cast<std::uint32_t>(wide);
}

/// What is wrong with reading `bytes` at `offset` of a bank.
Fault::Reason wrong_with(const std::vector<std::vector<std::byte>>& banks, std::uint32_t bank, std::uint32_t offset,
                         std::uint32_t bytes) {
    if ((offset & (bytes - 1)) != 0) return Fault::Reason::misaligned;
    const bool out = bank >= banks.size() || offset > banks[bank].size() || bytes > banks[bank].size() - offset;
    return out ? Fault::Reason::out_of_bounds : Fault::Reason::none;
}

/// As load_indexed has them, of a load that goes wrong.
void fail_indexed(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t bytes = bytes_of(static_cast<fields::AccessSize>(op.m2));
    const std::uint32_t* a = words(row(warp, op.a));
    Fault fault;
    fault.space = Fault::Space::constant;
    fault.size = bytes;
    // What a uniform instruction does with all lanes, those of the running group do.
    for_each_lane(mask & warp.active, [&](int lane) {
        const std::uint32_t offset = a[lane] + op.m0;
        const Fault::Reason reason = wrong_with(warp.launch->banks, op.m1, offset, bytes);
        if (reason == Fault::Reason::none) return;
        if (fault.lanes == 0) {
            fault.reason = reason;
            fault.lane = static_cast<std::uint32_t>(lane);
            fault.address = offset;
        }
        if (reason == fault.reason) fault.lanes |= 1U << static_cast<std::uint32_t>(lane);
    });
    record_fault(warp, op, fault);
}

/// a: index, m0: offset, m1: bank, m2: size
void load_indexed(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const auto size = static_cast<fields::AccessSize>(op.m2);
    const std::uint32_t bytes = bytes_of(size);
    const std::uint32_t* a = words(row(warp, op.a));
    std::uint32_t* d = words(row(warp, op.d));
    const auto& banks = warp.launch->banks;
    bool good = true;
    for_each_lane(mask, [&](int lane) {
        if (!good) return;
        const std::uint32_t offset = a[lane] + op.m0;
        if (wrong_with(banks, op.m1, offset, bytes) != Fault::Reason::none) {
            good = false;
            return;
        }
        std::uint64_t value = 0;
        std::memcpy(&value, banks[op.m1].data() + offset, bytes);
        value = extended(value, size);
        if (bytes == 8)
            write_pair(d, lane, value);
        else
            d[lane] = static_cast<std::uint32_t>(value);
    });
    if (!good) fail_indexed(warp, op, mask);
}

/// Likewise of lanes that have an address each; timing wants to know of how many.
void load_by_lanes(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t* a = words(row(warp, op.a));
    std::uint32_t different = 0;
    for (std::uint32_t rest = mask; rest != 0; ++different) {
        const std::uint32_t first = a[std::countr_zero(rest)];
        for_each_lane(rest, [&](int lane) {
            if (a[lane] == first) rest &= ~(1U << static_cast<std::uint32_t>(lane));
        });
    }
    warp.trace->push_value(mask == 0 ? WarpTrace::predicated_off : different);
    if (mask != 0) load_indexed(warp, op, mask);
}

}  // namespace

bool lower_constant(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    if (instruction.opcode != Opcode::LDC && instruction.opcode != Opcode::ULDC) return false;
    const auto& word = instruction.word;
    const bool uniform = instruction.opcode == Opcode::ULDC;
    const auto size = static_cast<fields::AccessSize>(word.get(fields::access_size));
    if (size > fields::AccessSize::b64) return false;
    bool indexed = false;
    const isa::Operand& index = uniform ? instruction.b : instruction.a;
    const isa::Operand& constant = uniform ? instruction.a : instruction.b;
    if (constant.kind != isa::OperandKind::constant) return false;  // bindless
    if (!uniform && word.get(fields::ldc_mode) != 0) return false;
    if (index.kind != isa::OperandKind::none) {
        op.a = to.source(index);
        indexed = op.a != 1;
    }
    const bool pair = size == fields::AccessSize::b64;
    const auto bank = static_cast<std::uint32_t>(word.get(fields::constant_bank));
    const auto offset = static_cast<std::uint32_t>(word.get(fields::constant_offset));
    op.d = to.destination(instruction, uniform, pair ? 2 : 1);
    std::uint64_t value = 0;
    if (!indexed && to.constant(bank, offset, bytes_of(size), value)) {
        op.a = to.immediate_pair(extended(value, size));
        if (pair) {
            op.full = &copy_pair<true>;
            op.masked = &copy_pair<false>;
        } else {
            set_unary<Copy>(op);
        }
        return true;
    }
    if (!indexed) op.a = 1;  // out of bounds: faults when executed
    op.m0 = static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(offset)));
    if (!indexed) op.m0 = offset;
    op.m1 = bank;
    op.m2 = static_cast<std::uint32_t>(size);
    set_both(op, isa::is_indexed_constant_load(instruction) ? &load_by_lanes : &load_indexed);
    return true;
}

}  // namespace sassafras::sim
