// FP64 instructions become those of FP32: their rate, latency and registers read. Conversions between the two, of which
// a program without FP64 has none, are not issued. Registers held, bytes of memory, matrix instructions and what makes
// constants of 64 bits stay as they are.
#include <algorithm>

#include "isa/sass/fields.hpp"
#include "isa/sass/table.hpp"
#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

namespace {

/// The operation's row whose sources are registers: it says how operands are read.
const isa::OpcodeRow& row_of_registers(isa::Opcode opcode) {
    constexpr std::uint16_t end_of_keys = 1U << 13U;
    for (std::uint16_t key = 0; key < end_of_keys; ++key) {
        const isa::OpcodeRow* const row = isa::find_row(key);
        if (row == nullptr || row->opcode != opcode) continue;
        const bool has_registers = std::all_of(row->sources.begin(), row->sources.end(), [](isa::Source source) {
            return source == isa::Source::none || source == isa::Source::a || source == isa::Source::b ||
                   source == isa::Source::c;
        });
        if (has_registers) return *row;
    }
    violate_invariant("an operation has no row of registers");
}

}  // namespace

void become_fp32(isa::Instruction& instruction) {
    static const isa::OpcodeRow& multiply_add = row_of_registers(isa::Opcode::FFMA);
    static const isa::OpcodeRow& comparison = row_of_registers(isa::Opcode::FSETP);
    const auto become = [&](const isa::OpcodeRow& other) {
        // Pairs begin at even registers, a compiler spreads FP32's over all banks: as the pairs are numbered. That half
        // of all operations then read one bank twice, which a compiler would mostly avoid, makes the promise a little
        // small.
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
