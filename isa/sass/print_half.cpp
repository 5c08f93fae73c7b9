// Packed half precision: FP16 and BF16 pairs.
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

constexpr std::string_view half_select_suffix(std::uint64_t value) {
    constexpr std::string_view names[4] = {"", ".F32", ".H0_H0", ".H1_H1"};
    return names[value & 3U];
}

bool is_bfloat(const PrintLine& line) {
    const bool sets = line.instruction().opcode == HSET2 || line.instruction().opcode == HSETP2;
    return line.is(sets ? fields::half_set_bfloat16 : fields::half_bfloat16);
}

ImmediateType pair_type(const PrintLine& line) {
    return is_bfloat(line) ? ImmediateType::bfloat_pair : ImmediateType::half_pair;
}

/// The half-select of a source lies with its physical slot.
std::string_view suffix(const PrintLine& line, int index) {
    if (line.instruction().opcode == HFMA2_MMA) return "";
    const OpcodeRow* row = find_row(line.instruction().key, line.instruction().architecture);
    switch (row->sources[static_cast<std::size_t>(index)]) {
        case Source::a: return half_select_suffix(line.get(fields::half_select_a));
        case Source::b:
            if (line.instruction().opcode == HFMA2 && line.is(fields::half_select_b_high) &&
                line.get(fields::half_select_b) == 0)
                return ".H0_NH1";
            return half_select_suffix(line.get(fields::half_select_b));
        case Source::uniform_b:
        case Source::constant:
        case Source::bindless: return half_select_suffix(line.get(fields::half_select_b));
        case Source::c: return half_select_suffix(line.get(fields::half_select_c));
        default: return "";
    }
}

void sources(PrintLine& line, int count) {
    if (line.instruction().opcode != HFMA2_MMA) line.space_in_constants();
    for (int index = 0; index < count; ++index) line.source(index, pair_type(line), suffix(line, index));
}

void half_compare(PrintLine& line) {
    line.choice(fields::float_compare, {".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU",
                                        ".LEU", ".GTU", ".NEU", ".GEU", ".T"});
}

void format(PrintLine& line) {
    if (is_bfloat(line)) line.raw(".BF16_V2");
}

}  // namespace

bool print_half(PrintLine& line) {
    switch (line.instruction().opcode) {
        case HADD2:
            if (line.is(fields::half_float32))
                line.raw(".F32");
            else
                format(line);
            line.flag(fields::flush_to_zero, ".FTZ").flag(fields::saturate, ".SAT").destination();
            sources(line, 2);
            return true;
        case HMUL2:
            format(line);
            line.choice(line.get(fields::flush_to_zero) * 2 + line.get(fields::zero_times_anything),
                        {"", ".FMZ", ".FTZ", ".INVALID3"});
            line.flag(fields::saturate, ".SAT").destination();
            sources(line, 2);
            return true;
        case HFMA2:
        case HFMA2_MMA:
            format(line);
            line.choice(line.get(fields::flush_to_zero) * 2 + line.get(fields::zero_times_anything),
                        {"", ".FMZ", ".FTZ", ".INVALID3"});
            line.flag(fields::half_relu, ".RELU").flag(fields::saturate, ".SAT").destination();
            sources(line, 3);
            if (line.is(fields::half_relu) && line.get(fields::predicate_p) != predicate_true)
                line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case HMNMX2:
            format(line);
            line.flag(fields::flush_to_zero, ".FTZ")
                .flag(fields::hmnmx2_nan, ".NAN")
                .flag(fields::hmnmx2_xorsign, ".XORSIGN")
                .destination();
            sources(line, 2);
            line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case HSET2:
            format(line);
            line.flag(fields::half_set_float, ".BF");
            half_compare(line);
            line.flag(fields::flush_to_zero, ".FTZ")
                .choice(fields::half_set_operation, {".AND", ".OR", ".XOR"})
                .destination();
            sources(line, 2);
            line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case HSETP2:
            format(line);
            half_compare(line);
            line.flag(fields::half_setp_and, ".H_AND")
                .flag(fields::flush_to_zero, ".FTZ")
                .choice(fields::half_set_operation, {".AND", ".OR", ".XOR"});
            line.predicate_out(fields::predicate_u).predicate_out(fields::predicate_v);
            sources(line, 2);
            line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
