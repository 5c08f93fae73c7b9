// Conversions between integer and floating-point formats.
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

constexpr std::string_view float_name(std::uint64_t format) {
    constexpr std::string_view names[8] = {".???0", ".F16", ".F32", ".F64", ".BF16", ".???5", ".???6", ".???7"};
    return names[format & 7U];
}

constexpr std::string_view half_name(std::uint64_t select) {
    constexpr std::string_view names[4] = {"", ".H1", ".INVALID2", ".INVALID3"};
    return names[select & 3U];
}

constexpr bool is_half(std::uint64_t format) { return format == 1 || format == 4; }

/// F2FP: two floats packed into one register, or 8-bit floats unpacked.
void print_pack(PrintLine& line) {
    constexpr auto float32 = ImmediateType::float32;
    const bool second = line.is(fields::f2fp_format);
    const bool merge = line.is(fields::f2fp_merge_c);
    line.flag(fields::f2fp_satfinite, ".SATFINITE").flag(fields::f2fp_relu, ".RELU");
    const auto rounding = [&] {
        line.choice(fields::f2fp_rounding, {"", ".???1", ".???2", ".RZ", ".???4", ".???5", ".???6", ".???7"});
    };
    if (line.is(fields::f2fp_single)) {
        if (line.is(fields::f2fp_tf32)) {
            line.raw(".TF32.F32.PACK_B");
            rounding();
            line.destination().source(1, float32);
        } else {
            line.raw(".F16").raw(line.is(fields::f2fp_unpack_format) ? ".E4M3" : ".E5M2").raw(".UNPACK_B");
            line.destination().source(1, float32, line.is(fields::f2fp_unpack_high) ? ".H1" : "");
        }
        return;
    }
    if (line.is(fields::f2fp_fp8)) {
        const bool from_halves = line.is(fields::f2fp_unpack_format);
        line.raw(second ? ".E4M3" : ".E5M2").raw(from_halves ? ".F16.UNPACK_B" : ".F32.PACK_AB");
        if (merge || from_halves) line.raw("_MERGE_C");
        rounding();
        line.destination();
        if (!from_halves) line.source(0, float32);
        line.source(1, float32);
        if (merge || from_halves) line.source(2, float32);
        return;
    }
    if (line.instruction().architecture < Architecture::sm_90)  // the only types that there are
        line.raw(second ? ".BF16" : "").raw(merge ? ".MERGE_C" : ".PACK_AB");
    else
        line.raw(second ? ".BF16" : ".F16").raw(merge ? ".F32.MERGE_C" : ".F32.PACK_AB");
    rounding();
    line.destination();
    if (!merge) line.source(0, float32);
    line.source(1, float32);
    if (merge) line.source(2, float32);
}

constexpr std::string_view integer_name(std::uint64_t size, bool is_signed) {
    constexpr std::string_view unsigned_names[4] = {".U8", ".U16", ".U32", ".U64"};
    constexpr std::string_view signed_names[4] = {".S8", ".S16", "", ".S64"};
    return is_signed ? signed_names[size & 3U] : unsigned_names[size & 3U];
}

/// How far c moves up of I2IP to fields narrower than a byte, counted from the left.
std::string_view packed_shift(const PrintLine& line) {
    constexpr std::string_view texts[8] = {"", "", "", "", ".28", ".28", ".24", ".24"};
    return line.instruction().c.kind == OperandKind::reg && line.instruction().c.reg != register_zero
               ? texts[line.get(fields::i2ip_format)]
               : "";
}

}  // namespace

bool print_conversion(PrintLine& line) {
    const auto source_size = line.get(fields::convert_source_size);
    const auto destination_size = line.get(fields::convert_destination_size);
    const auto float_source = line.get(fields::convert_float_source);
    const auto float_destination = line.get(fields::convert_float_destination);
    const std::string_view half = half_name(line.get(fields::convert_half_select));
    const bool reads_halves =
        line.instruction().opcode == F2I || line.instruction().opcode == F2F || line.instruction().opcode == FRND;
    if (reads_halves && is_half(float_source)) line.space_in_constants();
    switch (line.instruction().opcode) {
        case F2I:
            line.flag(fields::flush_to_zero, ".FTZ")
                .raw(integer_name(destination_size, line.is(fields::f2i_destination_signed)));
            if (float_source != 2) line.raw(float_name(float_source));
            line.choice(fields::rounding, {"", ".FLOOR", ".CEIL", ".TRUNC"}).flag(fields::f2i_no_trap_nan, ".NTZ");
            line.destination().source(0, float_source == 3 ? ImmediateType::float64_high : ImmediateType::float32,
                                      is_half(float_source) ? half : "");
            return true;
        case I2F:
            if (float_destination != 2) line.raw(float_name(float_destination));
            line.raw(integer_name(source_size, line.is(fields::i2f_source_signed)));
            line.choice(fields::rounding, {"", ".RM", ".RP", ".RZ"});
            {
                constexpr std::string_view bytes[4] = {"", ".B1", ".B2", ".B3"};
                const std::string_view part = source_size == 0   ? bytes[line.get(fields::i2f_byte_select)]
                                              : source_size == 1 ? half
                                                                 : "";
                line.destination().source(0, ImmediateType::signed_integer, part);
            }
            return true;
        case F2F:
            line.flag(fields::flush_to_zero, ".FTZ").raw(float_name(float_destination)).raw(float_name(float_source));
            line.choice(fields::rounding, {"", ".RM", ".RP", ".RZ"});
            line.destination().source(0, float_source == 3 ? ImmediateType::float64_high : ImmediateType::float32,
                                      is_half(float_source) ? half : "");
            return true;
        case FRND:
            line.flag(fields::flush_to_zero, ".FTZ");
            if (float_source != 2) line.raw(float_name(float_source));
            line.choice(fields::rounding, {"", ".FLOOR", ".CEIL", ".TRUNC"});
            line.destination().source(0, float_source == 3 ? ImmediateType::float64_high : ImmediateType::float32,
                                      is_half(float_source) ? half : "");
            return true;
        case I2FP:
            line.raw(".F32")
                .raw(line.is(fields::i2fp_signed) ? ".S32" : ".U32")
                .choice(fields::rounding, {"", ".RM", ".RP", ".RZ"});
            line.destination().source(0, ImmediateType::unsigned_integer);
            return true;
        case I2I:
            line.choice(fields::i2i_format, {".U8", ".S8", ".U16", ".S16"})
                .raw(".S32.SAT")
                .destination()
                .source(0, ImmediateType::signed_integer);
            return true;
        case I2IP:
            line.choice(fields::i2ip_format, {".U8", ".S8", ".U16", ".S16", ".U2", ".S2", ".U4", ".S4"})
                .raw(".S32.SAT")
                .destination();
            line.source(0, ImmediateType::signed_integer)
                .source(1, ImmediateType::signed_integer)
                .source(2, ImmediateType::signed_integer, packed_shift(line));
            return true;
        case F2IP:
            line.choice(fields::i2i_format, {".U8", ".S8", ".U16", ".S16"})
                .raw(".F32")
                .choice(fields::rounding, {"", ".???1", ".???2", ".TRUNC"})
                .raw(".NTZ")
                .destination();
            line.source(0, ImmediateType::float32).source(1, ImmediateType::float32).source(2, ImmediateType::float32);
            return true;
        case F2FP: print_pack(line); return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
