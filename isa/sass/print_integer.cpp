// Integer arithmetic, logic, comparison, selection and shifts.
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

/// Carry outs print only where they go somewhere.
void carry_out(PrintLine& line) {
    const bool has_u = line.get(fields::predicate_u) != predicate_true;
    const bool has_v = line.get(fields::predicate_v) != predicate_true;
    if (has_u) line.predicate_out(fields::predicate_u);
    if (has_v) line.predicate_out(fields::predicate_v);
}

void one_carry_out(PrintLine& line) {
    if (line.get(fields::predicate_u) != predicate_true) line.predicate_out(fields::predicate_u);
}

void print_multiply(PrintLine& line) {
    const Instruction& i = line.instruction();
    const bool wide = i.opcode == IMAD_WIDE;
    const bool high = i.opcode == IMAD_HI;
    const bool extended = line.is(fields::extended);
    const bool is_signed = line.is(fields::integer_signed);
    const auto is_zero = [](const Operand& o) {
        return o.kind == OperandKind::reg && o.reg == register_zero && !o.negate;
    };
    const ImmediateType type = signed_integer;
    if (!wide && !high && !extended) {
        const std::string_view unsigned_suffix = is_signed ? "" : ".U32";
        // Aliases that nvdisasm prints for multiplications that only move, add or shift.
        if (is_zero(i.a) && is_zero(i.b) && i.c.kind != OperandKind::uniform_reg) {
            line.raw(".MOV").raw(unsigned_suffix).destination().source(0, type).source(1, type).source(2, type);
            return;
        }
        if (i.b.kind == OperandKind::immediate && i.b.value == 1) {
            line.raw(".IADD").destination().source(0, type).source(1, type).source(2, type);
            return;
        }
        if (i.b.kind == OperandKind::immediate && i.b.value != 0 && i.b.value != 0x10000 &&
            (i.b.value & (i.b.value - 1)) == 0 && is_zero(i.c)) {
            line.raw(".SHL").raw(unsigned_suffix).destination().source(0, type).source(1, type).source(2, type);
            return;
        }
    }
    line.raw(wide ? ".WIDE" : high ? ".HI" : "");
    if (!is_signed) line.raw(".U32");
    if (extended) line.raw(".X");
    line.destination();
    if (wide || high) one_carry_out(line);
    line.source(0, type).source(1, type).source(2, type);
    if (extended) line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void vimnmx_format(PrintLine& line) {
    line.choice(fields::vimnmx_format, {".U32", "", ".U16x2", ".S16x2"}).flag(fields::vimnmx_relu, ".RELU");
}

void print_three_input_add(PrintLine& line) {
    line.flag(fields::extended, ".X").destination();
    carry_out(line);
    line.source(0, signed_integer).source(1, signed_integer).source(2, signed_integer);
    if (line.is(fields::extended)) {
        line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
        line.predicate_in(fields::predicate_q, fields::predicate_q_negate);
    }
}

void print_dot_product(PrintLine& line) {
    line.choice(fields::idp_mode, {".4A", ".2A.LO", ".INVALID2", ".2A.HI"});
    if (line.get(fields::idp_mode) == 0)
        line.raw(line.is(fields::idp_a_signed) ? ".S8" : ".U8");
    else
        line.raw(line.is(fields::idp_a_signed) ? ".S16" : ".U16");
    line.raw(line.is(fields::idp_b_signed) ? ".S8" : ".U8");
    line.destination().source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
}

void print_scaled_add(PrintLine& line) {
    line.flag(fields::lea_high, ".HI")
        .flag(fields::extended, ".X")
        .flag(fields::lea_sign_extend, ".SX32")
        .destination();
    one_carry_out(line);
    line.source(0, unsigned_integer).source(1, unsigned_integer);
    if (line.is(fields::lea_high) && !line.is(fields::lea_sign_extend)) line.source(2, unsigned_integer);
    line.hexadecimal(line.get(fields::lea_shift));
    if (line.is(fields::extended)) line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void print_logic(PrintLine& line) {
    line.raw(".LUT").flag(fields::lop3_predicate_and, ".PAND");
    one_carry_out(line);
    line.destination().source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
    line.hexadecimal(line.get(fields::lop3_table)).predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void print_predicate_logic(PrintLine& line) {
    if (line.instruction().a.kind != OperandKind::none) {
        // The signs of registers take the places of predicates, the last first to go.
        line.raw(".LUT").predicate_out(fields::predicate_u).predicate_out(fields::predicate_v);
        line.space_in_constants();
        for (int index = 0; index < 3; ++index) line.source(index, unsigned_integer, ".SIGN");
        line.hexadecimal(line.get(fields::plop3_sign_table)).hexadecimal(line.get(fields::plop3_second_table));
        return;
    }
    line.raw(".LUT").predicate_out(fields::predicate_u).predicate_out(fields::predicate_v);
    line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
    line.predicate_in(fields::predicate_q, fields::predicate_q_negate);
    if (line.is(fields::plop3_uniform_source))
        line.uniform_predicate_in(fields::predicate_r, fields::predicate_r_negate);
    else
        line.predicate_in(fields::predicate_r, fields::predicate_r_negate);
    line.hexadecimal(line.get(fields::plop3_table_low) | (line.get(fields::plop3_table_high) << 3U));
    line.hexadecimal(line.get(fields::plop3_second_table));
}

void print_extreme(PrintLine& line) {
    vimnmx_format(line);
    line.destination();
    if (line.get(fields::predicate_u) != predicate_true || line.get(fields::predicate_v) != predicate_true)
        line.predicate_out(fields::predicate_u).predicate_out(fields::predicate_v);
    line.source(0, signed_integer).source(1, signed_integer);
    line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void print_comparison(PrintLine& line) {
    const bool is_signed = line.is(fields::integer_signed);
    line.choice(fields::integer_compare, {".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".T"});
    if (!is_signed) line.raw(".U32");
    line.choice(fields::set_operation, {".AND", ".OR", ".XOR"}).flag(fields::isetp_extended, ".EX");
    line.predicate_out(fields::predicate_u).predicate_out(fields::predicate_v);
    const ImmediateType type = signed_integer;
    line.source(0, type).source(1, type).predicate_in(fields::predicate_p, fields::predicate_p_negate);
    if (line.is(fields::isetp_extended)) line.predicate_in(fields::predicate_r, fields::predicate_r_negate);
}

void print_funnel_shift(PrintLine& line) {
    line.raw(line.is(fields::shift_right) ? ".R" : ".L").flag(fields::shift_wrap, ".W");
    line.choice(fields::shift_type, {".S64", ".U64", ".S32", ".U32"}).flag(fields::shift_high, ".HI");
    line.destination().source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
}

void print_absolute_difference(PrintLine& line) {
    line.raw(line.is(fields::integer_signed)          ? ""
             : line.instruction().opcode == VABSDIFF4 ? ".U8"
                                                      : ".U32")
        .raw(line.instruction().opcode == VABSDIFF4 && line.is(fields::vabsdiff_accumulate) ? ".ACC" : "");
    line.destination();
    one_carry_out(line);
    line.source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
}

}  // namespace

bool print_integer(PrintLine& line) {
    switch (line.instruction().opcode) {
        case IADD3: print_three_input_add(line); return true;
        case IMAD:
        case IMAD_WIDE:
        case IMAD_HI: print_multiply(line); return true;
        case IDP: print_dot_product(line); return true;
        case LEA: print_scaled_add(line); return true;
        case LOP3: print_logic(line); return true;
        case PLOP3: print_predicate_logic(line); return true;
        case IMNMX:
            line.raw(line.is(fields::integer_signed) ? "" : ".U32")
                .destination()
                .source(0, signed_integer)
                .source(1, signed_integer);
            line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case VIMNMX: print_extreme(line); return true;
        case VIMNMX3:
        case VIADDMNMX:
            vimnmx_format(line);
            line.destination().source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
            line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case VIADD:
            line.flag(fields::viadd_halves, ".16x2")
                .destination()
                .source(0, unsigned_integer)
                .source(1, unsigned_integer);
            return true;
        case ISETP: print_comparison(line); return true;
        case IABS: line.destination().source(0, signed_integer); return true;
        case SEL:
            line.destination().source(0, unsigned_integer).source(1, unsigned_integer);
            line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case PRMT:
            line.choice(fields::prmt_mode, {"", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16"});
            line.destination().source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
            return true;
        case MOV:
            line.destination().source(0, unsigned_integer);
            if (line.get(fields::mov_lane_mask) != 15) line.hexadecimal(line.get(fields::mov_lane_mask));
            return true;
        case SHF: print_funnel_shift(line); return true;
        case SGXT:
            line.flag(fields::sgxt_wrap, ".W").raw(line.is(fields::integer_signed) ? "" : ".U32");
            line.destination().source(0, unsigned_integer).source(1, unsigned_integer);
            return true;
        case BMSK:
            line.flag(fields::bmsk_wrap, ".W").destination().source(0, unsigned_integer).source(1, unsigned_integer);
            return true;
        case VABSDIFF:
        case VABSDIFF4: print_absolute_difference(line); return true;
        case BREV:
        case POPC: line.destination().source(0, unsigned_integer); return true;
        case FLO:
            line.raw(line.is(fields::integer_signed) ? "" : ".U32").flag(fields::flo_shift, ".SH").destination();
            one_carry_out(line);
            line.source(0, unsigned_integer);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
