// Operands and numbers in nvdisasm's spelling.
#include "isa/sass/print_line.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace sassafras::isa {
namespace {

/// Values that are not plain decimal numbers are followed by a space, which shows where a comma comes next.
std::string number_text(double value) {
    if (std::isnan(value)) return std::signbit(value) ? "-QNAN " : "+QNAN ";
    if (std::isinf(value)) return value > 0 ? "+INF " : "-INF ";
    if (value == 0 && std::signbit(value)) return "-0.0 ";
    // Beyond the range of a 32-bit integer nvdisasm changes to exponents.
    return std::fabs(value) >= 2147483648.0 ? fmt::format("{:.20e}", value) : fmt::format("{:.20g}", value);
}

std::string float32_text(std::uint32_t bits) { return number_text(static_cast<double>(std::bit_cast<float>(bits))); }

std::string float64_text(std::uint32_t high) {
    const double value = std::bit_cast<double>(static_cast<std::uint64_t>(high) << 32U);
    if (std::isnan(value) && (high & 0x00080000U) == 0) return (high >> 31U) != 0 ? "-SNAN " : "+SNAN ";
    return number_text(value);
}

std::string half_text(std::uint32_t bits) {
    const bool negative = (bits & 0x8000U) != 0;
    const std::uint32_t exponent = (bits >> 10U) & 31U;
    const std::uint32_t fraction = bits & 1023U;
    if (exponent == 31) {
        const double special =
            fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
        return number_text(std::copysign(special, negative ? -1.0 : 1.0));
    }
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
    return number_text(negative ? -magnitude : magnitude);
}

std::string bfloat_text(std::uint32_t bits) {
    const std::uint32_t wide = bits << 16U;
    return float32_text(wide);
}

}  // namespace

std::string register_name(std::uint64_t number) { return number == register_zero ? "RZ" : fmt::format("R{}", number); }
std::string uniform_register_name(std::uint64_t number) {
    return number == uniform_register_zero ? "URZ" : fmt::format("UR{}", number);
}
std::string predicate_name(std::uint64_t number, bool uniform) {
    const std::string prefix = uniform ? "U" : "";
    return number == predicate_true ? prefix + "PT" : fmt::format("{}P{}", prefix, number);
}

std::string signed_hexadecimal_text(std::int64_t value) {
    return value < 0 ? fmt::format("-{:#x}", -static_cast<std::uint64_t>(value)) : fmt::format("{:#x}", value);
}

std::string immediate_text(std::uint32_t bits, ImmediateType type) {
    switch (type) {
        case ImmediateType::signed_integer: return signed_hexadecimal_text(static_cast<std::int32_t>(bits));
        case ImmediateType::unsigned_integer: return fmt::format("{:#x}", bits);
        case ImmediateType::float32: return float32_text(bits);
        case ImmediateType::float64_high: return float64_text(bits);
        case ImmediateType::half_pair: return half_text(bits >> 16U) + ", " + half_text(bits & 0xffffU);
        case ImmediateType::bfloat_pair: return bfloat_text(bits >> 16U) + ", " + bfloat_text(bits & 0xffffU);
    }
    return {};
}

std::string with_signs(std::string text, bool negate, bool absolute, bool complement) {
    if (absolute) text = "|" + text + "|";
    if (negate) text = (complement ? "~" : "-") + text;
    return text;
}

PrintLine& PrintLine::raw(std::string_view text) {
    text_ += text;
    return *this;
}

PrintLine& PrintLine::flag(Field field, std::string_view modifier) { return is(field) ? raw(modifier) : *this; }

PrintLine& PrintLine::choice(Field field, std::initializer_list<std::string_view> modifiers) {
    return choice(get(field), modifiers);
}

PrintLine& PrintLine::choice(std::uint64_t value, std::initializer_list<std::string_view> modifiers) {
    if (value < modifiers.size()) return raw(modifiers.begin()[value]);
    return raw(fmt::format(".INVALID{}", value));
}

PrintLine& PrintLine::operand(std::string_view text) {
    text_ += has_operand_ ? ", " : " ";
    text_ += text;
    has_operand_ = true;
    return *this;
}

PrintLine& PrintLine::vector(Field field, int slot) {
    const bool reuse = slot >= 0 && ((instruction_.control.reuse >> slot) & 1U) != 0;
    return operand(register_name(get(field)) + (reuse ? ".reuse" : ""));
}

PrintLine& PrintLine::uniform(Field field) { return operand(uniform_register_name(get(field))); }

PrintLine& PrintLine::destination() {
    const OpcodeRow* row = find_row(instruction_.key, instruction_.architecture);
    const bool uniform_file = row != nullptr && row->destination == Destination::uniform;
    return operand(uniform_file ? uniform_register_name(instruction_.destination)
                                : register_name(instruction_.destination));
}

PrintLine& PrintLine::source(int index, ImmediateType type, std::string_view suffix) {
    const Operand& source = index == 0 ? instruction_.a : index == 1 ? instruction_.b : instruction_.c;
    const OpcodeRow* row = find_row(instruction_.key, instruction_.architecture);
    const Source place = row != nullptr ? row->sources[static_cast<std::size_t>(index)] : Source::none;
    const bool complement =
        is(fields::extended) && (instruction_.opcode == Opcode::IADD3 || instruction_.opcode == Opcode::UIADD3 ||
                                 instruction_.opcode == Opcode::IMAD || instruction_.opcode == Opcode::LEA ||
                                 instruction_.opcode == Opcode::IMAD_WIDE || instruction_.opcode == Opcode::IMAD_HI ||
                                 instruction_.opcode == Opcode::ULEA || instruction_.opcode == Opcode::UIMAD);
    const bool always_complement = instruction_.opcode == Opcode::FLO || instruction_.opcode == Opcode::POPC ||
                                   instruction_.opcode == Opcode::UFLO || instruction_.opcode == Opcode::UPOPC;
    std::string text;
    switch (source.kind) {
        case OperandKind::none: return *this;
        case OperandKind::reg: text = register_name(source.reg); break;
        case OperandKind::uniform_reg: text = uniform_register_name(source.reg); break;
        case OperandKind::immediate: return operand(immediate_text(source.value, type));
        case OperandKind::constant:
            text = fmt::format("c[{:#x}]{}[{:#x}]", source.bank, constant_space_ ? " " : "", source.value);
            if (constant_space_) {  // the part belongs to the constant, within its signs
                text += suffix;
                suffix = {};
            }
            break;
        case OperandKind::constant_bindless:
            text = fmt::format("cx[{}][{:#x}]", uniform_register_name(source.reg), source.value);
            break;
    }
    text = with_signs(std::move(text), source.negate, source.absolute, complement || always_complement);
    if (source.kind == OperandKind::reg && place != Source::none &&
        ((instruction_.control.reuse >> reuse_slot(*row, index)) & 1U) != 0)
        text += ".reuse";
    return operand(text + std::string(suffix));
}

PrintLine& PrintLine::predicate_out(Field field) { return operand(predicate_name(get(field), false)); }
PrintLine& PrintLine::predicate_in(Field field, Field negate) {
    return operand((is(negate) ? "!" : "") + predicate_name(get(field), false));
}
PrintLine& PrintLine::uniform_predicate_out(Field field) { return operand(predicate_name(get(field), true)); }
PrintLine& PrintLine::uniform_predicate_in(Field field, Field negate) {
    return operand((is(negate) ? "!" : "") + predicate_name(get(field), true));
}
PrintLine& PrintLine::hexadecimal(std::uint64_t value) { return operand(fmt::format("{:#x}", value)); }
PrintLine& PrintLine::signed_hexadecimal(std::int64_t value) { return operand(signed_hexadecimal_text(value)); }

}  // namespace sassafras::isa
