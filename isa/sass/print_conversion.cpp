// Conversions between integer and floating-point formats.
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

constexpr std::string_view float_name(std::uint64_t size) {
    constexpr std::string_view names[4] = {".F8", ".F16", ".F32", ".F64"};
    return names[size & 3U];
}

constexpr std::string_view integer_name(std::uint64_t size, bool is_signed) {
    constexpr std::string_view unsigned_names[4] = {".U8", ".U16", ".U32", ".U64"};
    constexpr std::string_view signed_names[4] = {".S8", ".S16", "", ".S64"};
    return is_signed ? signed_names[size & 3U] : unsigned_names[size & 3U];
}

}  // namespace

bool print_conversion(PrintLine& line) {
    const auto source_size = line.get(fields::convert_source_size);
    const auto destination_size = line.get(fields::convert_destination_size);
    switch (line.instruction().opcode) {
        case F2I:
            line.flag(fields::flush_to_zero, ".FTZ").raw(integer_name(destination_size, line.is(fields::f2i_destination_signed)));
            if (source_size != 2) line.raw(float_name(source_size));
            line.choice(fields::rounding, {"", ".FLOOR", ".CEIL", ".TRUNC"}).flag(fields::f2i_no_trap_nan, ".NTZ");
            line.destination().source(0, ImmediateType::float32);
            return true;
        case I2F:
            if (destination_size != 2) line.raw(float_name(destination_size));
            line.raw(integer_name(source_size, line.is(fields::i2f_source_signed)));
            line.choice(fields::rounding, {"", ".RM", ".RP", ".RZ"});
            {
                constexpr std::string_view bytes[4] = {"", ".B1", ".B2", ".B3"};
                constexpr std::string_view halves[4] = {"", ".H1", ".INVALID2", ".INVALID3"};
                const std::string_view part = source_size == 0 ? bytes[line.get(fields::i2f_byte_select)] : source_size == 1 ? halves[line.get(fields::i2f_byte_select)] : "";
                line.destination().source(0, ImmediateType::signed_integer, part);
            }
            return true;
        case F2F:
            line.flag(fields::flush_to_zero, ".FTZ").raw(float_name(destination_size)).raw(float_name(source_size));
            line.choice(fields::rounding, {"", ".RM", ".RP", ".RZ"}).destination().source(0, ImmediateType::float32);
            return true;
        case FRND:
            line.flag(fields::flush_to_zero, ".FTZ");
            if (source_size != 2) line.raw(float_name(source_size));
            line.choice(fields::rounding, {"", ".FLOOR", ".CEIL", ".TRUNC"}).destination().source(0, ImmediateType::float32);
            return true;
        case I2FP:
            line.raw(".F32").raw(line.is(fields::i2fp_signed) ? ".S32" : ".U32").choice(fields::rounding, {"", ".RM", ".RP", ".RZ"});
            line.destination().source(0, ImmediateType::unsigned_integer);
            return true;
        case I2I:
            line.choice(fields::i2i_format, {".U8", ".S8", ".U16", ".S16"}).raw(".S32.SAT").destination().source(0, ImmediateType::signed_integer);
            return true;
        case I2IP:
            line.choice(fields::i2i_format, {".U8", ".S8", ".U16", ".S16"}).raw(".S32.SAT").destination();
            line.source(0, ImmediateType::signed_integer).source(1, ImmediateType::signed_integer).source(2, ImmediateType::signed_integer);
            return true;
        case F2IP:
            line.choice(fields::i2i_format, {".U8", ".S8", ".U16", ".S16"}).raw(".F32.NTZ").destination();
            line.source(0, ImmediateType::float32).source(1, ImmediateType::float32).source(2, ImmediateType::float32);
            return true;
        case F2FP: return false;
        default: return false;
    }
}

}  // namespace sassafras::isa
