// The uniform datapath.
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

void uniform_carry_out(PrintLine& line) {
    const bool has_u = line.get(fields::predicate_u) != predicate_true;
    const bool has_v = line.get(fields::predicate_v) != predicate_true;
    if (has_u) line.uniform_predicate_out(fields::predicate_u);
    if (has_v) line.uniform_predicate_out(fields::predicate_v);
}

void one_uniform_carry_out(PrintLine& line) {
    if (line.get(fields::predicate_u) != predicate_true) line.uniform_predicate_out(fields::predicate_u);
}

void print_uniform_add(PrintLine& line) {
    const Instruction& i = line.instruction();
    if (i.form == Form::wide) line.raw(".64");
    line.flag(fields::extended, ".X").destination();
    uniform_carry_out(line);
    line.source(0, signed_integer).source(1, signed_integer).source(2, signed_integer);
    if (line.is(fields::extended)) {
        line.uniform_predicate_in(fields::predicate_p, fields::predicate_p_negate);
        line.uniform_predicate_in(fields::predicate_q, fields::predicate_q_negate);
    }
}

void print_uniform_multiply(PrintLine& line) {
    const Instruction& i = line.instruction();
    const bool is_signed = line.is(fields::integer_signed);
    line.raw(i.opcode == UIMAD_WIDE ? ".WIDE"
             : i.opcode == UIMAD_HI ? ".HI"
                                    : "")
        .raw(is_signed ? "" : ".U32")
        .flag(fields::extended, ".X")
        .destination();
    const ImmediateType type = signed_integer;
    if (i.opcode != UIMAD) one_uniform_carry_out(line);
    line.source(0, type).source(1, type).source(2, type);
    if (line.is(fields::extended)) line.uniform_predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void print_uniform_scaled_add(PrintLine& line) {
    line.flag(fields::lea_high, ".HI")
        .flag(fields::extended, ".X")
        .flag(fields::lea_sign_extend, ".SX32")
        .destination();
    one_uniform_carry_out(line);
    line.source(0, unsigned_integer).source(1, unsigned_integer);
    if (line.is(fields::lea_high) && !line.is(fields::lea_sign_extend)) line.source(2, unsigned_integer);
    line.hexadecimal(line.get(fields::lea_shift));
    if (line.is(fields::extended)) line.uniform_predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void print_uniform_logic(PrintLine& line) {
    line.raw(".LUT").flag(fields::lop3_predicate_and, ".PAND");
    one_uniform_carry_out(line);
    line.destination().source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
    line.hexadecimal(line.get(fields::lop3_table))
        .uniform_predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void print_uniform_predicate_logic(PrintLine& line) {
    line.raw(".LUT").uniform_predicate_out(fields::predicate_u).uniform_predicate_out(fields::predicate_v);
    line.uniform_predicate_in(fields::predicate_p, fields::predicate_p_negate);
    line.uniform_predicate_in(fields::predicate_q, fields::predicate_q_negate);
    line.uniform_predicate_in(fields::predicate_r, fields::predicate_r_negate);
    line.hexadecimal(line.get(fields::plop3_table_low) | (line.get(fields::plop3_table_high) << 3U));
    line.hexadecimal(line.get(fields::plop3_second_table));
}

void print_uniform_comparison(PrintLine& line) {
    const bool is_signed = line.is(fields::integer_signed);
    line.choice(fields::integer_compare, {".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".T"})
        .raw(is_signed ? "" : ".U32");
    line.choice(fields::set_operation, {".AND", ".OR", ".XOR"}).flag(fields::isetp_extended, ".EX");
    line.uniform_predicate_out(fields::predicate_u).uniform_predicate_out(fields::predicate_v);
    const ImmediateType type = is_signed ? signed_integer : unsigned_integer;
    line.source(0, type).source(1, type).uniform_predicate_in(fields::predicate_p, fields::predicate_p_negate);
    if (line.is(fields::isetp_extended)) line.uniform_predicate_in(fields::predicate_r, fields::predicate_r_negate);
}

void print_uniform_shift(PrintLine& line) {
    line.raw(line.is(fields::shift_right) ? ".R" : ".L").flag(fields::shift_wrap, ".W");
    line.choice(fields::shift_type, {".S64", ".U64", ".S32", ".U32"}).flag(fields::shift_high, ".HI");
    line.destination().source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
}

void print_tensor_copy(PrintLine& line) {
    const Instruction& i = line.instruction();
    if (i.opcode == UTMAPF) line.raw(".L2");
    line.choice(fields::tma_dimensions, {".1D", ".2D", ".3D", ".4D", ".5D", ".INVALID5", ".INVALID6", ".INVALID7"});
    line.flag(fields::tma_im2col, ".IM2COL");
    if (i.opcode == UTMALDG) line.flag(fields::tma_multicast, ".MULTICAST");
    if (i.opcode == UTMAREDG)
        line.choice(fields::tma_reduction, {".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR"});
    const std::string a = "[" + uniform_register_name(line.get(fields::uniform_register_a)) + "]";
    const std::string b = "[" + uniform_register_name(line.get(fields::uniform_register_b)) + "]";
    line.operand(b).operand(a);
    if (i.form == Form::three_operands) line.uniform(fields::uniform_register_c);
}

void print_block_copy(PrintLine& line) {
    const Instruction& i = line.instruction();
    line.raw(line.is(fields::ublkcp_shared_destination) && i.opcode == UBLKRED ? ".G.S"
             : i.opcode == UBLKRED                                             ? ".S.S"
             : line.is(fields::ublkcp_shared_destination)                      ? ".G.S"
                                                                               : ".S.G");
    if (i.opcode == UBLKRED) {
        line.choice(fields::tma_reduction, {".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR"});
        line.choice(fields::ublkred_type,
                    {"", ".S32", ".U64", ".S64", ".F16.RN", ".F32.RN", ".F32.FTZ.RN", ".F64.RN", ".BF16.RN"});
    } else {
        line.flag(fields::ublkcp_multicast, ".MULTICAST");
    }
    line.operand("[" + uniform_register_name(line.get(fields::uniform_register_b)) + "]");
    line.operand("[" + uniform_register_name(line.get(fields::uniform_register_a)) + "]")
        .uniform(fields::uniform_register_c);
}

void print_block_prefetch(PrintLine& line) {
    line.raw(".L2")
        .operand("[" + uniform_register_name(line.get(fields::uniform_register_a)) + "]")
        .uniform(fields::uniform_register_c);
    if (line.is(fields::descriptor)) line.operand("desc[" + uniform_register_name(line.word().bits(40, 6)) + "]");
}

void print_register_limit(PrintLine& line) {
    const Instruction& i = line.instruction();
    line.choice(fields::usetmaxreg_mode, {"", ".DEALLOC", ".TRY_ALLOC", ".ALLOC"})
        .flag(fields::usetmaxreg_pool, ".CTAPOOL");
    if (line.get(fields::usetmaxreg_mode) == 2) line.uniform_predicate_out(fields::predicate_u);
    if (i.a.kind == OperandKind::none)
        line.hexadecimal(line.word().bits(32, 10));
    else
        line.uniform(fields::uniform_register_b);
}

void print_predicates_to_register(PrintLine& line) {
    line.choice(fields::byte_select, {"", ".B1", ".B2", ".B3"})
        .destination()
        .operand("UPR")
        .source(0, unsigned_integer)
        .source(1, unsigned_integer);
}

void print_register_to_predicates(PrintLine& line) {
    const Instruction& i = line.instruction();
    constexpr std::string_view bytes[4] = {"", ".B1", ".B2", ".B3"};
    line.operand("UPR").source(0, unsigned_integer, bytes[line.get(fields::byte_select)]);
    if (!(i.b.kind == OperandKind::immediate && i.b.value == 0xff)) line.source(1, unsigned_integer);
}

}  // namespace

bool print_uniform(PrintLine& line) {
    const Instruction& i = line.instruction();
    switch (i.opcode) {
        case R2UR:
            line.flag(fields::r2ur_or, ".OR");
            if (line.get(fields::predicate_u) != predicate_true) line.predicate_out(fields::predicate_u);
            line.destination().source(0, unsigned_integer);
            return true;
        case UIADD3: print_uniform_add(line); return true;
        case UIMAD:
        case UIMAD_WIDE:
        case UIMAD_HI: print_uniform_multiply(line); return true;
        case ULEA: print_uniform_scaled_add(line); return true;
        case ULOP3: print_uniform_logic(line); return true;
        case UPLOP3: print_uniform_predicate_logic(line); return true;
        case UISETP: print_uniform_comparison(line); return true;
        case USHF: print_uniform_shift(line); return true;
        case USEL:
            line.destination()
                .source(0, unsigned_integer)
                .source(1, unsigned_integer)
                .uniform_predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case UPRMT:
            line.choice(fields::prmt_mode, {"", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16"});
            line.destination().source(0, unsigned_integer).source(1, unsigned_integer).source(2, unsigned_integer);
            return true;
        case UFLO:
            line.raw(line.is(fields::integer_signed) ? "" : ".U32").flag(fields::flo_shift, ".SH").destination();
            one_uniform_carry_out(line);
            line.source(0, unsigned_integer);
            return true;
        case UBREV:
        case UPOPC:
        case UMOV: line.destination().source(0, unsigned_integer); return true;
        case UBMSK:
            line.flag(fields::bmsk_wrap, ".W").destination().source(0, unsigned_integer).source(1, unsigned_integer);
            return true;
        case USGXT:
            line.flag(fields::sgxt_wrap, ".W")
                .raw(line.is(fields::integer_signed) ? "" : ".U32")
                .destination()
                .source(0, unsigned_integer)
                .source(1, unsigned_integer);
            return true;
        case UTMALDG:
        case UTMAPF:
        case UTMASTG:
        case UTMAREDG: print_tensor_copy(line); return true;
        case UBLKCP:
        case UBLKRED: print_block_copy(line); return true;
        case UBLKPF: print_block_prefetch(line); return true;
        case UTMACCTL:
            line.choice(fields::utmacctl_operation, {".IV", ".PF", ".INVALID2", ".INVALID3", ".IVALL"});
            if (i.a.kind == OperandKind::uniform_reg)
                line.operand("[" + uniform_register_name(line.get(fields::uniform_register_a)) + "]");
            return true;
        case USETMAXREG: print_register_limit(line); return true;
        case USETSHMSZ:
            line.flag(fields::usetshmsz_flush, ".FLUSH");
            if (!line.is(fields::usetshmsz_flush)) line.hexadecimal(line.word().bits(32, 20));
            return true;
        case ULEPC:
            line.destination();
            if (i.form == Form::with_target)
                line.hexadecimal(line.pc() + instruction_bytes + line.get(fields::immediate));
            return true;
        case UCGABAR_SET: line.uniform(fields::uniform_register_b); return true;
        case UCGABAR_GET: line.destination(); return true;
        case UP2UR: print_predicates_to_register(line); return true;
        case UR2UP: print_register_to_predicates(line); return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
