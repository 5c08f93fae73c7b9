// Special registers, votes, shuffles, predicates packed in registers.
#include <fmt/format.h>

#include "isa/sass/print_groups.hpp"
#include "isa/sass/special_register.hpp"

namespace sassafras::isa {

bool print_warp(PrintLine& line) {
    using enum Opcode;
    const Instruction& i = line.instruction();
    switch (i.opcode) {
        case S2R: line.destination().operand(special_register_name(line.get(fields::special_register))); return true;
        case S2UR: line.destination().operand(special_register_name(line.get(fields::special_register))); return true;
        case CS2R:
            if (!line.is(fields::cs2r_64)) line.raw(".32");
            line.destination().operand(special_register_name(line.get(fields::special_register)));
            return true;
        case VOTE:
        case VOTEU: {
            line.choice(fields::vote_mode, {".ALL", ".ANY", ".EQ", ".INVALID3"});
            const bool uniform = i.opcode == VOTEU;
            const bool has_destination = i.destination != (uniform ? uniform_register_zero : register_zero);
            if (has_destination) line.destination();
            if (uniform)
                line.uniform_predicate_out(fields::predicate_u);
            else
                line.predicate_out(fields::predicate_u);
            line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        }
        case SHFL:
            line.choice(fields::shfl_mode, {".IDX", ".UP", ".DOWN", ".BFLY"})
                .predicate_out(fields::predicate_u)
                .destination()
                .vector(fields::register_a);
            if (i.b.kind == OperandKind::reg)
                line.vector(fields::register_b);
            else
                line.hexadecimal(line.get(fields::shfl_lane_immediate));
            if (i.c.kind == OperandKind::reg)
                line.vector(fields::register_c);
            else
                line.hexadecimal(line.get(fields::shfl_clamp_immediate));
            return true;
        case MATCH:
            line.raw(line.is(fields::match_any) ? ".ANY" : ".ALL").flag(fields::match_64, ".U64");
            if (!line.is(fields::match_any)) line.predicate_out(fields::predicate_u);
            line.destination().vector(fields::register_a);
            return true;
        case REDUX:
            line.choice(fields::redux_operation, {"", ".OR", ".XOR", ".SUM", ".MIN", ".MAX"})
                .flag(fields::redux_signed, ".S32");
            line.destination().vector(fields::register_a);
            return true;
        case P2R:
            line.choice(fields::byte_select, {"", ".B1", ".B2", ".B3"})
                .destination()
                .operand("PR")
                .source(0, ImmediateType::unsigned_integer)
                .source(1, ImmediateType::unsigned_integer);
            return true;
        case R2P: {
            line.operand("PR");
            constexpr std::string_view suffixes[4] = {"", ".B1", ".B2", ".B3"};
            line.source(0, ImmediateType::unsigned_integer, suffixes[line.get(fields::byte_select)]);
            if (!(i.b.kind == OperandKind::immediate && i.b.value == 0xff))
                line.source(1, ImmediateType::unsigned_integer);
            return true;
        }
        default: return false;
    }
}

}  // namespace sassafras::isa
