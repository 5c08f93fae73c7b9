// FP64 instructions become those of FP32: their rate, latency and registers read. Conversions between the two, of which
// a program without FP64 has none, are not issued. Registers held, bytes of memory, matrix instructions and what makes
// constants of 64 bits stay as they are.
#include "isa/sass/fields.hpp"
#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

namespace {

/// Some instruction of the operation: its row says how operands are read.
isa::Instruction some(std::uint64_t key) {
    constexpr std::uint64_t always = std::uint64_t{isa::predicate_true} << 12U;
    const auto decoded = isa::decode(isa::Word128{key | always, 0});
    require_invariant(decoded.ok(), "an instruction of FP32 is not known");
    return *decoded;
}

}  // namespace

void become_fp32(isa::Instruction& instruction) {
    static const isa::Instruction multiply_add = some(0x223);  // FFMA of registers
    static const isa::Instruction comparison = some(0x20b);    // FSETP of registers
    const auto become = [&](const isa::Instruction& other) {
        // Pairs begin at even registers, a compiler spreads FP32's over all banks: as the pairs are numbered.
        for (isa::Operand* operand : {&instruction.a, &instruction.b, &instruction.c})
            if (operand->kind == isa::OperandKind::reg && operand->reg != isa::register_zero) operand->reg /= 2;
        if (instruction.destination != isa::register_zero) instruction.destination /= 2;
        instruction.opcode = other.opcode;
        instruction.pipe = other.pipe;
        instruction.latency = other.latency;
        instruction.key = other.key;
    };
    switch (instruction.opcode) {
        case isa::Opcode::DADD:
        case isa::Opcode::DMUL:
        case isa::Opcode::DFMA: become(multiply_add); break;
        case isa::Opcode::DSETP: become(comparison); break;
        default: break;
    }
}

bool converts_to_or_from_fp64(const isa::Instruction& instruction) {
    using isa::fields::ConvertFloat;
    if (instruction.opcode != isa::Opcode::F2F) return false;
    const auto from = static_cast<ConvertFloat>(instruction.word.get(isa::fields::convert_float_source));
    const auto to = static_cast<ConvertFloat>(instruction.word.get(isa::fields::convert_float_destination));
    return (from == ConvertFloat::f64 && to == ConvertFloat::f32) ||
           (from == ConvertFloat::f32 && to == ConvertFloat::f64);
}

}  // namespace sassafras::sim
