// Packed half precision.
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;

namespace {

struct Copy {
    static U32x8 apply(const MicroOp&, U32x8 a) { return a; }
};

/// Compilers build constants with 0 * 0 + immediate.
bool is_constant_move(const isa::Instruction& instruction) {
    const auto is_zero = [](const isa::Operand& operand) { return operand.kind == isa::OperandKind::reg && operand.reg == isa::register_zero; };
    return is_zero(instruction.a) && is_zero(instruction.b) && instruction.c.kind == isa::OperandKind::immediate;
}

}  // namespace

bool lower_half(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    if (instruction.opcode != Opcode::HFMA2 && instruction.opcode != Opcode::HFMA2_MMA) return false;
    if (!is_constant_move(instruction)) return false;
    op.a = to.source(instruction.c);
    op.d = to.destination(instruction, false);
    set_unary<Copy>(op);
    return true;
}

}  // namespace sassafras::sim
