// Branches, calls, convergence barriers and the convergence unit's state.
#include <fmt/format.h>

#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

/// The second predicate prints only where it restricts.
void extra_predicate(PrintLine& line) {
    if (line.get(fields::predicate_p) != predicate_true || line.is(fields::predicate_p_negate))
        line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

std::int64_t branch_displacement(const PrintLine& line) {
    return fields::branch_displacement(line.word(), line.instruction().architecture);
}

constexpr std::uint64_t address_mask = (std::uint64_t{1} << 40U) - 1;

std::uint64_t relative_target(const PrintLine& line) {
    return (line.pc() + instruction_bytes + static_cast<std::uint64_t>(branch_displacement(line))) & address_mask;
}

std::uint64_t absolute_target(const PrintLine& line) {
    return static_cast<std::uint64_t>(branch_displacement(line)) & address_mask;
}

std::string convergence_state_name(std::uint64_t number) {
    if (number < 16) return fmt::format("B{}", number);
    constexpr std::string_view names[] = {"THREAD_STATE_ENUM.0",
                                          "THREAD_STATE_ENUM.1",
                                          "THREAD_STATE_ENUM.2",
                                          "THREAD_STATE_ENUM.3",
                                          "THREAD_STATE_ENUM.4",
                                          "TRAP_RETURN_PC.LO",
                                          "TRAP_RETURN_PC.HI",
                                          "TRAP_RETURN_MASK",
                                          "MEXITED",
                                          "MKILL",
                                          "MACTIVE",
                                          "MATEXIT",
                                          "OPT_STACK",
                                          "API_CALL_DEPTH",
                                          "ATEXIT_PC.LO",
                                          "ATEXIT_PC.HI",
                                          "PQUAD_MACTIVE"};
    return number - 16 < std::size(names) ? std::string(names[number - 16]) : fmt::format("INVALID{}", number);
}

std::string barrier_name(const PrintLine& line) { return fmt::format("B{}", line.get(fields::convergence_barrier)); }

void print_branch(PrintLine& line) {
    const Instruction& i = line.instruction();
    if (i.form == Form::uniform_predicate) {
        line.flag(fields::branch_uniform, ".U").choice(line.get(fields::branch_condition) & 2U, {"", "", ".DIV"});
        extra_predicate(line);
        line.operand((line.word().bit(27) ? "!" : "") + predicate_name(line.word().bits(24, 3), true));
    } else {
        line.choice(fields::branch_condition, {"", ".U", ".DIV", ".CONV"}).flag(fields::branch_any, ".ANY");
        extra_predicate(line);
        if (i.a.kind == OperandKind::uniform_reg)
            line.operand((line.word().bit(30) ? "~" : "") +
                         uniform_register_name(line.get(fields::uniform_register_a)));
    }
    line.hexadecimal(relative_target(line));
}

void print_indirect_branch(PrintLine& line) {
    const Instruction& i = line.instruction();
    line.choice(fields::branch_depth, {"", ".INC", ".DEC", ".INVALID3"});
    extra_predicate(line);
    const std::string base = register_name(line.get(fields::register_a));
    if (i.opcode == JMX && absolute_target(line) == 0)
        line.operand(base);
    else
        line.operand(base + " " + signed_hexadecimal_text(branch_displacement(line)));
}

void print_call(PrintLine& line) {
    const Instruction& i = line.instruction();
    const bool absolute = i.form != Form::relative;
    line.raw(absolute ? ".ABS" : ".REL").flag(fields::call_no_increment, ".NOINC");
    extra_predicate(line);
    const std::uint64_t target = absolute ? absolute_target(line) : relative_target(line);
    if (i.a.kind == OperandKind::reg)
        line.operand(absolute && target == 0 ? register_name(i.a.reg)
                                             : fmt::format("{} {:#x}", register_name(i.a.reg), target));
    else if (i.a.kind == OperandKind::uniform_reg)
        line.operand(absolute && target == 0 ? uniform_register_name(i.a.reg)
                                             : fmt::format("{} {:#x}", uniform_register_name(i.a.reg), target));
    else if (i.a.kind == OperandKind::constant)
        line.source(0, ImmediateType::unsigned_integer);
    else
        line.hexadecimal(target);
}

void print_return(PrintLine& line) {
    const Instruction& i = line.instruction();
    line.raw(line.is(fields::return_absolute) ? ".ABS" : ".REL").flag(fields::call_no_increment, ".NODEC");
    extra_predicate(line);
    const std::uint64_t target = line.is(fields::return_absolute) ? absolute_target(line) : relative_target(line);
    const std::string base = i.a.kind == OperandKind::reg ? register_name(i.a.reg) : uniform_register_name(i.a.reg);
    line.operand(fmt::format("{} {:#x}", base, target));
}

void print_breakpoint(PrintLine& line) {
    line.choice(fields::bpt_mode, {".DRAIN", ".CAL", ".PAUSE", ".TRAP", ".INT"});
    if (line.get(fields::bpt_mode) == 3 || line.get(fields::bpt_mode) == 4) line.hexadecimal(line.word().bits(34, 20));
}

void print_sleep(PrintLine& line) {
    const Instruction& i = line.instruction();
    if (line.is(fields::nanosleep_clear)) {
        line.raw(".CLEAR");
        extra_predicate(line);
        return;
    }
    line.flag(fields::nanosleep_syncs, ".SYNCS").flag(fields::nanosleep_random, ".RAND");
    if (i.architecture == Architecture::sm_75) line.flag(fields::nanosleep_warp, ".WARP");
    extra_predicate(line);
    line.source(0, ImmediateType::unsigned_integer);
}

void print_warp_sync(PrintLine& line) {
    const Instruction& i = line.instruction();
    const bool names_all_lanes = i.a.kind == OperandKind::immediate && i.a.value == 0;
    if (i.architecture < Architecture::sm_90)
        line.choice(fields::warpsync_mode, {"", ".INVALID1", ".EXCLUSIVE", ".INVALID3"});
    else
        line.choice(fields::warpsync_mode, {"", ".EXCLUSIVE", ".COLLECTIVE", ".INVALID3"});
    if (names_all_lanes) line.raw(".ALL");
    extra_predicate(line);
    if (i.a.kind == OperandKind::reg)
        line.operand(register_name(i.a.reg));
    else if (!names_all_lanes)
        line.source(0, ImmediateType::unsigned_integer);
    if (i.architecture >= Architecture::sm_90 && line.get(fields::warpsync_mode) == 2)
        line.hexadecimal((line.pc() + instruction_bytes + static_cast<std::uint64_t>(branch_displacement(line))) &
                         address_mask);
}

void print_effective_pc(PrintLine& line) {
    const Instruction& i = line.instruction();
    line.destination();
    if (i.form == Form::with_target)
        line.hexadecimal((line.pc() + instruction_bytes + static_cast<std::uint64_t>(line.word().signed_bits(24, 32))) &
                         address_mask);
}

void print_state_move(PrintLine& line) {
    const Instruction& i = line.instruction();
    if (i.form == Form::read_state)
        line.raw(".32")
            .flag(fields::bmov_clear, ".CLEAR")
            .destination()
            .operand(convergence_state_name(line.get(fields::bmov_selector)));
    else if (i.form == Form::write_state)
        line.raw(".32")
            .flag(fields::bmov_clear, ".PQUAD")
            .operand(convergence_state_name(line.get(fields::bmov_selector)))
            .source(0, ImmediateType::unsigned_integer);
    else if (i.form == Form::state_from_barrier)
        line.flag(fields::bmov_clear, ".PQUAD")
            .operand(convergence_state_name(line.get(fields::bmov_selector)))
            .operand(barrier_name(line));
    else if (i.form == Form::barrier_from_state)
        line.flag(fields::bmov_clear, ".CLEAR")
            .operand(barrier_name(line))
            .operand(convergence_state_name(line.get(fields::bmov_selector)));
    else
        line.raw(".64").operand("ATEXIT_PC").source(0, ImmediateType::unsigned_integer);
}

void print_return_pc_move(PrintLine& line) {
    const Instruction& i = line.instruction();
    if (i.form == Form::read_state)
        line.raw(".32").destination().operand(line.word().bit(31) ? "Rpc.HI" : "Rpc.LO");
    else
        line.raw(".32").operand(line.word().bit(31) ? "Rpc.HI" : "Rpc.LO").vector(fields::register_b);
}

void print_elect(PrintLine& line) {
    const Instruction& i = line.instruction();
    line.flag(fields::elect_ignore_kill, ".IGNOREKILL")
        .predicate_out(fields::predicate_u)
        .uniform(fields::uniform_destination);
    if (i.a.kind == OperandKind::uniform_reg)
        line.operand((line.is(fields::negate_a) ? "~" : "") +
                     uniform_register_name(line.get(fields::uniform_register_a)));
    else
        line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

}  // namespace

bool print_control_flow(PrintLine& line) {
    const Instruction& i = line.instruction();
    switch (i.opcode) {
        case BRA: print_branch(line); return true;
        case BSSY:
            extra_predicate(line);
            line.operand(barrier_name(line))
                .hexadecimal((line.pc() + instruction_bytes +
                              static_cast<std::uint64_t>(fields::reconvergence_displacement(line.word()))) &
                             address_mask);
            return true;
        case BSYNC:
        case BREAK:
            extra_predicate(line);
            line.operand(barrier_name(line));
            return true;
        case BRX:
        case JMX: print_indirect_branch(line); return true;
        case JMP:
            line.choice(fields::branch_condition, {"", ".U", ".DIV", ".CONV"});
            extra_predicate(line);
            if (i.a.kind == OperandKind::uniform_reg) line.uniform(fields::uniform_register_a);
            line.hexadecimal(absolute_target(line));
            return true;
        case CALL: print_call(line); return true;
        case RET: print_return(line); return true;
        case EXIT:
            line.choice(fields::exit_mode, {"", ".KEEPREFCOUNT", ".PREEMPTED", ".INVALID3"})
                .flag(fields::exit_no_atexit, ".NO_ATEXIT");
            extra_predicate(line);
            return true;
        case KILL:
        case YIELD: extra_predicate(line); return true;
        case NOP: return true;
        case PMTRIG:
            extra_predicate(line);
            line.hexadecimal(line.get(fields::pmtrig_mask));
            return true;
        case BPT: print_breakpoint(line); return true;
        case NANOSLEEP: print_sleep(line); return true;
        case BRXU:
        case JMXU:
            line.choice(fields::branch_condition, {"", ".U", ".DIV", ".CONV"});
            extra_predicate(line);
            line.operand(uniform_register_name(line.get(fields::uniform_register_a)));
            return true;
        case WARPSYNC: print_warp_sync(line); return true;
        case LEPC: print_effective_pc(line); return true;
        case BMOV: print_state_move(line); return true;
        case RPCMOV: print_return_pc_move(line); return true;
        case ELECT: print_elect(line); return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
