// Moves and selects, between registers, predicates and the uniform datapath; special registers.
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/special_registers.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

struct Copy {
    static U32x8 apply(const MicroOp&, U32x8 a) { return a; }
};

template <bool full>
void select_by_predicate(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const std::uint32_t take_a = source_predicate<0>(warp, op);
    for (int part = 0; part < parts; ++part) store<full>(d, select(expand(take_a, part), a[part], b[part]), mask, part);
}

void write_uniform(Warp& warp, std::uint32_t reference, std::uint32_t value) {
    U32x8* d = row(warp, reference);
    for (int part = 0; part < parts; ++part) d[part] = broadcast(value);
}

/// R2UR takes the value of the first lane that executes it; the compiler uses it on values that all lanes share. m0:
/// .OR. The predicate holds in the lanes whose value is another one: an H200 ran the code that relies on it.
void register_to_uniform(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask == 0) return;
    const std::uint32_t* a = words(row(warp, op.a));
    std::uint32_t value = a[std::countr_zero(mask)];
    if (op.m0 != 0) for_each_lane(mask, [&](int lane) { value |= a[lane]; });
    std::uint32_t differs = 0;
    for_each_lane(mask, [&](int lane) { differs |= static_cast<std::uint32_t>(a[lane] != value) << lane; });
    write_uniform(warp, op.d, value);
    write_predicate(warp, op.p, differs, mask);
}

/// Predicates to a byte of a register and back. m0: mask of predicates, m1: bit position, m2: index of predicate 0; b
/// row: mask
void predicates_to_register(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    for_each_lane(mask, [&](int lane) {
        std::uint32_t value = 0;
        for (std::uint32_t i = 0; i < 7; ++i) value |= (warp.predicates[op.m2 + i] >> lane & 1U) << i;
        const std::uint32_t wanted = b[lane] & 0xffU;
        d[lane] = (a[lane] & ~(wanted << op.m1)) | (value & wanted) << op.m1;
    });
}
void register_to_predicates(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    for_each_lane(mask, [&](int lane) {
        const std::uint32_t value = a[lane] >> op.m1;
        for (std::uint32_t i = 0; i < 7; ++i) {
            if ((b[lane] >> i & 1U) == 0) continue;
            std::uint32_t& predicate = warp.predicates[op.m2 + i];
            predicate = (predicate & ~(1U << lane)) | (value >> i & 1U) << lane;
        }
    });
}

std::uint32_t special_value(const Warp& warp, std::uint32_t number, std::uint32_t lane) {
    namespace sr = special_register;
    const LaunchShape& shape = warp.launch->request.shape;
    const std::uint32_t thread = warp.index * warp_size + lane;
    const std::uint32_t bit = 1U << lane;
    switch (number) {
        case sr::lane_id: return lane;
        case sr::thread_x: return thread % shape.block.x;
        case sr::thread_y: return thread / shape.block.x % shape.block.y;
        case sr::thread_z: return thread / (shape.block.x * shape.block.y);
        case sr::block_x: return warp.block->position.x;
        case sr::block_y: return warp.block->position.y;
        case sr::block_z: return warp.block->position.z;
        case sr::shared_window_high: return static_cast<std::uint32_t>(shared_window >> 32U);
        case sr::shared_window_low: return static_cast<std::uint32_t>(shared_window);
        case sr::shared_window_size:
        case sr::local_window_size: return static_cast<std::uint32_t>(window_bytes);
        case sr::local_window_high: return static_cast<std::uint32_t>(local_window >> 32U);
        case sr::local_window_low: return static_cast<std::uint32_t>(local_window);
        case sr::shared_size: return warp.launch->shared.variables_end;
        case sr::local_low_end: return warp.launch->local_begin;
        case sr::equal_mask: return bit;
        case sr::less_mask: return bit - 1;
        case sr::less_equal_mask: return bit | (bit - 1);
        case sr::greater_mask: return ~(bit | (bit - 1));
        case sr::greater_equal_mask: return ~(bit - 1);
        // Which SM runs a block is timing's business; execution spreads blocks evenly so that the value is
        // deterministic.
        case sr::virtual_id: return thread / warp_size;
        case sr::virtual_sm_id:
            return static_cast<std::uint32_t>(warp.block->block_index % warp.launch->request.sm_count);
        default: return 0;
    }
}

bool is_known(std::uint32_t number) {
    namespace sr = special_register;
    switch (number) {
        case sr::lane_id:
        case sr::virtual_id:
        case sr::thread_x:
        case sr::thread_y:
        case sr::thread_z:
        case sr::block_x:
        case sr::block_y:
        case sr::block_z:
        case sr::shared_window_high:
        case sr::shared_window_low:
        case sr::shared_window_size:
        case sr::local_window_size:
        case sr::local_window_high:
        case sr::local_window_low:
        case sr::shared_size:
        case sr::local_low_end:
        case sr::equal_mask:
        case sr::less_mask:
        case sr::less_equal_mask:
        case sr::greater_mask:
        case sr::greater_equal_mask:
        case sr::virtual_sm_id:
        case sr::block_rank_in_cluster:
        case sr::zero: return true;
        default: return sr::is_clock(number);
    }
}

void read_special(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // m0: number
    std::uint32_t* d = words(row(warp, op.d));
    for_each_lane(mask, [&](int lane) { d[lane] = special_value(warp, op.m0, static_cast<std::uint32_t>(lane)); });
}
void read_special_uniform(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask != 0)
        write_uniform(warp, op.d, special_value(warp, op.m0, static_cast<std::uint32_t>(std::countr_zero(mask))));
}

bool lower_special_register(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const bool uniform = instruction.opcode == Opcode::S2UR;
    const bool pair = instruction.opcode == Opcode::CS2R && word.get(fields::cs2r_64) != 0;
    op.m0 = static_cast<std::uint32_t>(word.get(fields::special_register));
    if (!is_known(op.m0)) return false;
    op.d = to.destination(instruction, uniform, pair ? 2 : 1);
    op.m1 = pair ? 1 : 0;
    op.m2 = uniform ? 1 : 0;
    if (special_register::is_clock(op.m0)) {
        op.control = Control::clock;
        return true;
    }
    if (pair) {  // CS2R Rd, SRZ: zeroes a pair
        if (op.m0 != special_register::zero) return false;
        op.a = op.b = op.c = 1;
        set_both(op, [](Warp& warp, const MicroOp& micro, std::uint32_t mask) {
            U32x8* d = row(warp, micro.d);
            for (int part = 0; part < parts; ++part) {
                store<false>(d, U32x8{}, mask, part);
                store<false>(d + parts, U32x8{}, mask, part);
            }
        });
        return true;
    }
    set_both(op, uniform ? &read_special_uniform : &read_special);
    return true;
}

}  // namespace

bool lower_move(Lowering& to, const isa::Instruction& instruction, MicroOp& op, Opcode opcode, bool uniform) {
    const auto& word = instruction.word;
    switch (opcode) {
        case Opcode::MOV: {
            const isa::Operand& source = instruction.a.kind == isa::OperandKind::none ? instruction.b : instruction.a;
            op.a = to.source(source);
            op.d = to.destination(instruction, uniform);
            set_unary<Copy>(op);
            return true;
        }
        case Opcode::SEL:
            op.a = to.source(instruction.a);
            op.b = to.source(instruction.b);
            op.d = to.destination(instruction, uniform);
            to.predicate_p(op, instruction, uniform);
            op.full = &select_by_predicate<true>;
            op.masked = &select_by_predicate<false>;
            return true;
        case Opcode::R2UR:
            op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)));
            op.d = to.destination(instruction, true);
            to.predicates_written(op, instruction, false);
            op.m0 = word.bit(84) ? 1 : 0;
            set_both(op, &register_to_uniform);
            return true;
        case Opcode::S2R:
        case Opcode::S2UR:
        case Opcode::CS2R: return lower_special_register(to, instruction, op);
        case Opcode::P2R:
        case Opcode::UP2UR:
        case Opcode::R2P:
        case Opcode::UR2UP: {
            const bool unif = opcode == Opcode::UP2UR || opcode == Opcode::UR2UP;
            op.a = unif ? to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_a)))
                        : to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)));
            if (instruction.b.kind == isa::OperandKind::constant_bindless) return false;
            op.b = to.source(instruction.b);
            op.m1 = 8U * static_cast<std::uint32_t>(word.bits(76, 2));
            op.m2 = unif ? uniform_predicates : 0;
            if (opcode == Opcode::P2R || opcode == Opcode::UP2UR) {
                op.d = to.destination(instruction, unif);
                set_both(op, &predicates_to_register);
            } else {
                set_both(op, &register_to_predicates);
            }
            return true;
        }
        default: return false;
    }
}

}  // namespace sassafras::sim
