// FP32 and FP64.
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;
constexpr auto float32 = ImmediateType::float32;
constexpr auto float64 = ImmediateType::float64_high;

void rounding(PrintLine& line) { line.choice(fields::rounding, {"", ".RM", ".RP", ".RZ"}); }

void float_compare(PrintLine& line) {
    line.choice(fields::float_compare, {".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU",
                                        ".LEU", ".GTU", ".NEU", ".GEU", ".T"});
}

void set_operation(PrintLine& line) { line.choice(fields::set_operation, {".AND", ".OR", ".XOR"}); }

void compare_operands(PrintLine& line, ImmediateType type) {
    line.predicate_out(fields::predicate_u).predicate_out(fields::predicate_v);
    line.source(0, type).source(1, type);
    line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void flush(PrintLine& line) {
    line.choice(line.get(fields::flush_to_zero) * 2 + line.get(fields::zero_times_anything),
                {"", ".FMZ", ".FTZ", ".INVALID3"});
}

void print_set(PrintLine& line) {
    line.raw(".BF");
    float_compare(line);
    line.flag(fields::flush_to_zero, ".FTZ");
    set_operation(line);
    line.destination()
        .source(0, float32)
        .source(1, float32)
        .predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

void print_special_function(PrintLine& line) {
    line.choice(fields::mufu_function,
                {".COS", ".SIN", ".EX2", ".LG2", ".RCP", ".RSQ", ".RCP64H", ".RSQ64H", ".SQRT", ".TANH"});
    line.choice(fields::mufu_format_of(line.word(), line.instruction().architecture),
                {"", ".F16", ".BF16", ".INVALID3"});
    if (line.is(fields::mufu_format)) {
        line.destination().source(0, float32, line.get(fields::convert_half_select) == 1 ? ".H1" : "");
        return;
    }
    line.destination().source(
        0, line.get(fields::mufu_function) == 6 || line.get(fields::mufu_function) == 7 ? float64 : float32);
}

void print_swizzled_add(PrintLine& line) {
    line.flag(fields::flush_to_zero, ".FTZ");
    rounding(line);
    line.flag(fields::fswzadd_no_divergence, ".NDV");
    std::string pattern;
    constexpr std::string_view pairs[4] = {"PP", "PN", "NP", "ZP"};
    for (int lane = 3; lane >= 0; --lane) pattern += pairs[(line.get(fields::fswzadd_pattern) >> (2 * lane)) & 3U];
    line.destination().source(0, float32).source(1, float32).operand(pattern);
}

}  // namespace

bool print_float(PrintLine& line) {
    switch (line.instruction().opcode) {
        case FADD:
            line.flag(fields::flush_to_zero, ".FTZ");
            rounding(line);
            line.flag(fields::saturate, ".SAT").destination().source(0, float32).source(1, float32);
            return true;
        case FMUL:
            flush(line);
            line.choice(fields::fmul_scale, {".INVALID0", ".D8", ".D4", ".D2", "", ".M2", ".M4", ".M8"});
            rounding(line);
            line.flag(fields::saturate, ".SAT").destination().source(0, float32).source(1, float32);
            return true;
        case FFMA:
            flush(line);
            rounding(line);
            line.flag(fields::saturate, ".SAT").destination().source(0, float32).source(1, float32).source(2, float32);
            return true;
        case FMNMX:
            line.flag(fields::flush_to_zero, ".FTZ")
                .flag(fields::fmnmx_nan, ".NAN")
                .flag(fields::fmnmx_xorsign, ".XORSIGN");
            line.destination()
                .source(0, float32)
                .source(1, float32)
                .predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case FSEL:
            line.flag(fields::flush_to_zero, ".FTZ");
            line.destination()
                .source(0, float32)
                .source(1, float32)
                .predicate_in(fields::predicate_p, fields::predicate_p_negate);
            return true;
        case FSET: print_set(line); return true;
        case FSETP:
            float_compare(line);
            line.flag(fields::flush_to_zero, ".FTZ");
            set_operation(line);
            compare_operands(line, float32);
            return true;
        case FCHK: line.predicate_out(fields::predicate_u).source(0, float32).source(1, float32); return true;
        case MUFU: print_special_function(line); return true;
        case FSWZADD: print_swizzled_add(line); return true;
        case CLMAD:
            line.raw(line.is(fields::clmad_high) ? ".HI" : ".LO").destination();
            line.source(0, ImmediateType::unsigned_integer)
                .source(1, ImmediateType::unsigned_integer)
                .source(2, ImmediateType::unsigned_integer);
            return true;
        case DADD:
            rounding(line);
            line.destination().source(0, float64).source(1, float64);
            return true;
        case DMUL:
            rounding(line);
            line.destination().source(0, float64).source(1, float64);
            return true;
        case DFMA:
            rounding(line);
            line.destination().source(0, float64).source(1, float64).source(2, float64);
            return true;
        case DSETP:
            line.choice(fields::float_compare, {".MIN", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN",
                                                ".LTU", ".EQU", ".LEU", ".GTU", ".NEU", ".GEU", ".MAX"});
            set_operation(line);
            compare_operands(line, float64);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
