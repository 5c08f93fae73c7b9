// Barriers, fences, scoreboard waits, asynchronous barriers and bulk copies.
#include <fmt/format.h>

#include "isa/sass/print_address.hpp"
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

std::string plain_address(const PrintLine& line, bool base_64, bool uniform, Field uniform_field) {
    return address_text({.base = line.get(fields::register_a),
                         .base_64 = base_64,
                         .has_uniform = uniform,
                         .uniform = line.get(uniform_field),
                         .offset = line.word().signed_bits(fields::memory_offset.first, fields::memory_offset.width)});
}

void print_barrier(PrintLine& line) {
    const Instruction& instruction = line.instruction();
    const auto mode = static_cast<fields::BarrierMode>(line.get(fields::barrier_mode));
    line.choice(fields::barrier_mode, {".SYNC", ".ARV", ".RED", ".SCAN", ".SYNCALL"});
    if (mode == fields::BarrierMode::reduce)
        line.choice(fields::barrier_reduction, {".POPC", ".AND", ".OR", ".INVALID3"});
    line.flag(fields::barrier_defer, ".DEFER_BLOCKING");
    if (mode == fields::BarrierMode::sync_all) return;
    const bool name_in_register = instruction.a.kind == OperandKind::reg;
    const bool count_in_register = instruction.b.kind == OperandKind::reg || instruction.form == Form::name_and_count;
    if (name_in_register)
        line.vector(fields::register_b);
    else
        line.hexadecimal(line.get(fields::barrier_name));
    if (count_in_register)
        line.vector(fields::register_b);
    else if (line.is(fields::barrier_count) || mode == fields::BarrierMode::arrive)
        line.hexadecimal(line.get(fields::barrier_count));
    if (mode == fields::BarrierMode::reduce || mode == fields::BarrierMode::scan)
        line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void print_syncs(PrintLine& line) {
    const Form form = line.instruction().form;
    switch (form) {
        case Form::arrive:
            line.raw(".ARRIVE.TRANS64").choice(fields::syncs_return, {"", ".TMASK", ".RED", ".INVALID3"});
            line.choice(fields::syncs_parameters,
                        {"", ".A1T0", ".A0T1", ".A0TR", ".A0TX", ".ART0", ".INVALID6", ".INVALID7"});
            line.destination()
                .operand(plain_address(line, false, true, fields::uniform_register_c))
                .vector(fields::register_b);
            return;
        case Form::check_phase:
            line.raw(".PHASECHK.TRANS64").flag(fields::syncs_try_wait, ".TRYWAIT").predicate_out(fields::predicate_u);
            line.operand(plain_address(line, false, true, fields::uniform_register_c)).vector(fields::register_b);
            return;
        case Form::exchange:
        case Form::compare_and_swap:
        case Form::uniform_load: {
            line.raw(form == Form::exchange           ? ".EXCH.64"
                     : form == Form::compare_and_swap ? ".CAS.64"
                                                      : ".LD.64")
                .uniform(fields::uniform_destination);
            const std::string address = address_text(
                {.has_uniform = true,
                 .uniform = line.get(fields::uniform_register_a),
                 .offset = line.word().signed_bits(fields::memory_offset.first, fields::memory_offset.width)});
            line.operand(address);
            if (form != Form::uniform_load) line.uniform(fields::uniform_register_b);
            if (form == Form::compare_and_swap) line.uniform(fields::uniform_register_c);
            return;
        }
        case Form::invalidate:
            line.raw(".CCTL.IV").operand(plain_address(line, false, true, fields::uniform_register_c));
            return;
        default:
            line.raw(".LD").destination().operand(plain_address(line, false, true, fields::uniform_register_c));
            return;
    }
}

}  // namespace

bool print_synchronisation(PrintLine& line) {
    switch (line.instruction().opcode) {
        case BAR: print_barrier(line); return true;
        case B2R:
            line.choice(fields::b2r_mode, {"", ".RESULT", ".WARP", ".INVALID3"}).destination();
            if (line.get(fields::b2r_mode) == 0) line.hexadecimal(line.get(fields::barrier_name));
            if (line.get(fields::b2r_mode) == 1 && line.get(fields::predicate_u) != predicate_true)
                line.predicate_out(fields::predicate_u);
            return true;
        case MEMBAR:
            line.choice(fields::membar_semantics, {".SC", ".ALL", ".INVALID2", ".MMIO"});
            line.choice(fields::membar_scope,
                        {".CTA", ".SM", ".GPU", ".SYS", ".INVALID4", ".VC", ".CTA.PARTIAL", ".INVALID7"});
            return true;
        case FENCE: line.raw(".VIEW.ASYNC").choice(fields::fence_space, {".S", ".G", ".T", ""}); return true;
        case DEPBAR:
            if (line.is(fields::depbar_less_equal)) {
                line.raw(".LE")
                    .operand(fmt::format("SB{}", line.get(fields::depbar_scoreboard)))
                    .hexadecimal(line.get(fields::depbar_count));
            }
            if (const auto mask = line.get(fields::depbar_mask); mask != 0) {
                std::string set;
                for (int i = 5; i >= 0; --i)
                    if ((mask >> i) & 1U) set += (set.empty() ? "" : ",") + std::to_string(i);
                line.operand("{" + set + "}");
            }
            return true;
        case ARRIVES:
            line.raw(".LDGSTSBAR.64").choice(fields::arrives_mode, {"", ".ARVCNT", ".TRANSCNT", ".INVALID3"});
            line.operand(plain_address(line, false, true, fields::uniform_register_c));
            return true;
        case CCTL:
        case CCTLL: {
            const bool all = line.get(fields::cctl_operation) == 4 || line.get(fields::cctl_operation) == 6;
            if (!all) line.flag(fields::address_64, ".E");
            line.choice(fields::cctl_space, {"", ".U", ".C", ".I"});
            line.choice(fields::cctl_operation, {".PF1", ".PF2", ".WB", ".IV", ".IVALL", ".RS", ".IVALLP", ".WBALL",
                                                 ".WBALLP", ".PML2", ".DML2", ".RML2"});
            const bool plain = !names_uniform_register(line.instruction());
            if (!all && plain)
                line.operand(
                    address_text({.base = line.get(fields::register_a), .offset = line.word().signed_bits(32, 32)}));
            if (!all && !plain) line.operand(plain_address(line, false, true, fields::uniform_register_b));
            return true;
        }
        case LDGDEPBAR:
        case ERRBAR:
        case CGAERRBAR:
        case UTMACMDFLUSH:
        case ENDCOLLECTIVE:
        case PREEXIT:
        case ACQBULK: return true;
        case UCGABAR_ARV:
        case UCGABAR_WAIT: return true;
        case QSPC:
            line.flag(fields::address_64, ".E")
                .choice(fields::qspc_space, {".G", ".L", ".S", ".D"})
                .predicate_out(fields::predicate_u)
                .destination();
            line.operand(
                plain_address(line, false, names_uniform_register(line.instruction()), fields::uniform_register_b));
            return true;
        case SYNCS: print_syncs(line); return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
