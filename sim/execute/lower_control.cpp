// Branches, convergence barriers, block barriers, exits, and what has no effect on values.
#include <algorithm>

#include "isa/program/targets.hpp"
#include "isa/sass/sleep.hpp"
#include "sim/execute/driver_function.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

constexpr isa::Field warp_sync_mode{85, 2};
constexpr std::uint32_t active_mask_state = 26;  ///< BMOV selector of the active mask

/// BSSY: m0 barrier. Every lane remembers who joined with it, so groups that use one barrier apart do not meet.
void join_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    auto* members = reinterpret_cast<U32x8*>(warp.convergence[op.m0].data());
    for (int part = 0; part < parts; ++part) store<false>(members, broadcast(mask), mask, part);
}
void break_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t leaving = mask & source_predicate<0>(warp, op);
    auto* members = reinterpret_cast<U32x8*>(warp.convergence[op.m0].data());
    for (int part = 0; part < parts; ++part) members[part] &= ~leaving;
}
void read_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask) {  // m0: barrier, m1: clear
    auto* members = reinterpret_cast<U32x8*>(warp.convergence[op.m0].data());
    U32x8* d = row(warp, op.d);
    for (int part = 0; part < parts; ++part) {
        store<false>(d, members[part], mask, part);
        if (op.m1 != 0) store<false>(members, U32x8{}, mask, part);
    }
}
void read_active(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    for (int part = 0; part < parts; ++part) store<false>(d, broadcast(warp.active), mask, part);
}
void write_barrier(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    auto* members = reinterpret_cast<U32x8*>(warp.convergence[op.m0].data());
    const U32x8* a = row(warp, op.a);
    for (int part = 0; part < parts; ++part) store<false>(members, a[part], mask, part);
}

void copy_pair(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    for (int part = 0; part < parts; ++part) {
        store<false>(d, a[part], mask, part);
        store<false>(d + parts, a[parts + part], mask, part);
    }
}

/// RPCMOV: a pair of registers a thread beside the numbered ones; m0: 1 for the upper one.
void read_return_pc(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint32_t* d = words(row(warp, op.d));
    for_each_lane(mask, [&](int lane) { d[lane] = warp.return_pc[op.m0][static_cast<std::size_t>(lane)]; });
}
void write_return_pc(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t* a = words(row(warp, op.a));
    for_each_lane(mask, [&](int lane) { warp.return_pc[op.m0][static_cast<std::size_t>(lane)] = a[lane]; });
}

/// The shortest of the lanes' lengths counts (H200: validate/records/h200/probes/sleep_lanes.cu).
void sleep(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::uint64_t least = WarpTrace::predicated_off;
    for_each_lane(mask, [&](int lane) { least = std::min<std::uint64_t>(least, words(row(warp, op.a))[lane]); });
    warp.trace->push_value(least);
}
void no_sleep(Warp& warp, const MicroOp&, std::uint32_t) { warp.trace->push_value(WarpTrace::predicated_off); }

void trap(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask == 0) return;
    Fault fault;
    fault.reason = Fault::Reason::message;
    fault.message = "the kernel executed a trap (a failed assert or __trap)";
    fault.lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    record_fault(warp, op, fault);
}

/// B2R.RESULT: what the last BAR.RED gave.
void read_barrier_result(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    for (int part = 0; part < parts; ++part) store<false>(d, broadcast(warp.barrier_result), mask, part);
    write_predicate(warp, op.p, warp.barrier_result != 0 ? full_mask : 0, mask);
}

bool lower_branch(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    to.predicate_p(op, instruction, false);
    // A call may be one of a function of the driver, which looks at the ABI's registers.
    if (instruction.opcode == Opcode::CALL) (void)to.vector_source(return_address_register, 2);
    if (isa::is_indirect(instruction)) {
        const std::uint64_t base = isa::branch_base(instruction, to.pc());
        op.control = Control::branch_indirect;
        op.m0 = static_cast<std::uint32_t>(base);
        op.m1 = static_cast<std::uint32_t>(base >> 32U);
        if (instruction.a.kind == isa::OperandKind::constant) {
            std::uint64_t target = 0;
            if (!to.constant(static_cast<std::uint32_t>(word.get(fields::constant_bank)),
                             static_cast<std::uint32_t>(word.get(fields::constant_offset)), 8, target))
                return false;
            op.a = to.immediate_pair(target);
            op.m0 = op.m1 = 0;
        } else {
            op.a = to.source(instruction.a, 2);
        }
        return true;
    }
    const auto target = isa::branch_target(instruction, to.pc());
    if (target && instruction.opcode == Opcode::CALL && isa::is_external_code(*target)) {
        op.control = Control::branch_indirect;
        op.a = to.immediate_pair(*target);
        return driver_function_at(*target).has_value();
    }
    if (!target || *target % isa::instruction_bytes != 0 || *target / isa::instruction_bytes >= to.launch().ops.size())
        return false;
    op.control = Control::branch;
    op.m0 = static_cast<std::uint32_t>(*target / isa::instruction_bytes);
    if (instruction.opcode != Opcode::BRA) return true;
    if (instruction.form == isa::Form::uniform_predicate) {
        op.s1 = static_cast<std::uint8_t>(word.bits(24, 3) + uniform_predicates);
        if (word.bit(27)) op.source_flip |= 2U;
    } else if (instruction.a.kind == isa::OperandKind::uniform_reg) {
        op.control = Control::branch_divergent;
        op.a = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_a)));
        op.m1 = word.bit(30) ? 1 : 0;
        op.m2 = word.get(fields::branch_condition) == 3 ? 1 : 0;
    } else if (word.get(fields::branch_condition) >= 2) {  // against the whole warp
        op.control = Control::branch_divergent;
        op.a = to.immediate(full_mask);
        op.m2 = word.get(fields::branch_condition) == 3 ? 1 : 0;
    }
    return true;
}

bool lower_block_barrier(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const auto mode = static_cast<fields::BarrierMode>(word.get(fields::barrier_mode));
    if (mode != fields::BarrierMode::sync && mode != fields::BarrierMode::arrive && mode != fields::BarrierMode::reduce)
        return false;
    const bool in_one_register = instruction.form == isa::Form::name_and_count;
    const std::uint32_t register_b = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)));
    op.control = Control::barrier;
    to.predicate_p(op, instruction, false);
    const bool name_immediate = instruction.a.kind == isa::OperandKind::none;
    const bool count_immediate = instruction.b.kind == isa::OperandKind::none && !in_one_register;
    op.a = name_immediate ? to.immediate(static_cast<std::uint32_t>(word.get(fields::barrier_name))) : register_b;
    op.b = count_immediate ? to.immediate(static_cast<std::uint32_t>(word.get(fields::barrier_count))) : register_b;
    op.m0 = static_cast<std::uint32_t>(mode);
    op.m1 = static_cast<std::uint32_t>(word.get(fields::barrier_reduction));
    op.m2 = in_one_register ? 1 : 0;
    return true;
}

bool lower_barrier_move(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    op.m0 = static_cast<std::uint32_t>(word.get(fields::bmov_selector));
    switch (instruction.form) {
        case isa::Form::read_state:
            op.d = to.destination(instruction, false);
            op.m1 = static_cast<std::uint32_t>(word.get(fields::bmov_clear));
            if (op.m0 == active_mask_state) {
                set_both(op, &read_active);
                return true;
            }
            set_both(op, &read_barrier);
            return op.m0 < convergence_barriers;
        case isa::Form::write_state:
            op.a = to.source(instruction.a);
            set_both(op, &write_barrier);
            return op.m0 < convergence_barriers &&
                   (instruction.a.kind == isa::OperandKind::reg || instruction.a.kind == isa::OperandKind::immediate);
        default: return false;
    }
}

bool lower_return_pc_move(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    op.m0 = word.bit(31) ? 1 : 0;
    if (instruction.form == isa::Form::read_state) {
        op.d = to.destination(instruction, false);
        set_both(op, &read_return_pc);
    } else {
        op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)));
        set_both(op, &write_return_pc);
    }
    return true;
}

bool lower_warp_sync(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    op.control = Control::warp_sync;
    op.m0 = static_cast<std::uint32_t>(word.get(warp_sync_mode));
    if (const auto end = isa::collective_end(instruction, to.pc()))
        op.m1 = static_cast<std::uint32_t>(*end / isa::instruction_bytes);
    to.predicate_p(op, instruction, false);
    // An immediate names the lanes; 0, which is printed .ALL, all.
    if (instruction.a.kind == isa::OperandKind::immediate && instruction.a.value == 0)
        op.a = to.immediate(full_mask);
    else
        op.a = to.source(instruction.a);
    return instruction.a.kind == isa::OperandKind::immediate || instruction.a.kind == isa::OperandKind::reg;
}

bool lower_sleep(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    // .SYNCS sleeps at most so long until a barrier in memory is complete: not at all, and the code looks
    // again.
    if (!isa::is_sleep(instruction)) {
        set_both(op, &no_sleep);
        return true;
    }
    op.a = to.source(instruction.a);
    set_both(op, &sleep);
    op.control = Control::sleep;
    return true;
}

}  // namespace

bool lower_control(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    switch (instruction.opcode) {
        case Opcode::NOP:
        case Opcode::MEMBAR:
        case Opcode::ERRBAR:
        case Opcode::CGAERRBAR:
        case Opcode::FENCE:
        case Opcode::CCTL:
        case Opcode::CCTLL:
        case Opcode::DEPBAR:
        case Opcode::LDGDEPBAR:
        case Opcode::PREEXIT:
        case Opcode::ACQBULK:
        case Opcode::PMTRIG: return true;
        case Opcode::BRA:
        case Opcode::BRX:
        case Opcode::BRXU:
        case Opcode::JMP:
        case Opcode::JMX:
        case Opcode::JMXU: return lower_branch(to, instruction, op);
        case Opcode::LEPC:
            op.a = to.immediate_pair(isa::effective_address(instruction, to.pc()));
            op.d = to.destination(instruction, false, 2);
            set_both(op, &copy_pair);
            return true;
        case Opcode::RPCMOV: return lower_return_pc_move(to, instruction, op);
        case Opcode::CALL:  // the hardware return stack (.INC, .DEC) is not kept: sm_90 code passes return addresses in
                            // registers
        case Opcode::RET: return word.get(fields::call_no_increment) != 0 && lower_branch(to, instruction, op);
        case Opcode::BSSY:
            op.m0 = isa::convergence_barrier(instruction);
            set_both(op, &join_barrier);
            return true;
        case Opcode::BSYNC:
            op.control = Control::converge;
            op.m0 = isa::convergence_barrier(instruction);
            to.predicate_p(op, instruction, false);
            return true;
        case Opcode::BREAK:
            op.m0 = isa::convergence_barrier(instruction);
            to.predicate_p(op, instruction, false);
            set_both(op, &break_barrier);
            return true;
        case Opcode::BMOV: return lower_barrier_move(to, instruction, op);
        case Opcode::WARPSYNC: return lower_warp_sync(to, instruction, op);
        case Opcode::ENDCOLLECTIVE: op.control = Control::end_collective; return true;
        case Opcode::YIELD: op.control = Control::yield; return true;
        case Opcode::EXIT:
            op.control = Control::exit;
            to.predicate_p(op, instruction, false);
            return true;
        case Opcode::BAR: return lower_block_barrier(to, instruction, op);
        case Opcode::B2R:
            if (word.bits(78, 2) != 1) return false;
            op.d = to.destination(instruction, false);
            to.predicates_written(op, instruction, false);
            set_both(op, &read_barrier_result);
            return true;
        case Opcode::NANOSLEEP: return lower_sleep(to, instruction, op);
        case Opcode::BPT: set_both(op, &trap); return true;
        default: return false;
    }
}

}  // namespace sassafras::sim
