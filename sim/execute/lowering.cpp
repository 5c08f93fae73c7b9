#include "sim/execute/lowering.hpp"

#include <algorithm>
#include <cstring>

#include "isa/program/contended.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

void do_nothing(Warp&, const MicroOp&, std::uint32_t) {}

bool on_uniform_datapath(Opcode opcode) {
    switch (opcode) {
        case Opcode::UP2UR:
        case Opcode::UR2UP:
        case Opcode::ULDC: return true;
        default: return isa::vector_equivalent(opcode) != Opcode::invalid;
    }
}

}  // namespace

Lowering::Lowering(const isa::Program& program, Launch& launch) : program_(program), launch_(launch) {
    registers_ = program.kernel.registers_per_thread;
    launch_.constants.resize(sink_rows);  // zero rows, for RZ
}

void Lowering::note_register(std::uint32_t reg) { registers_ = std::max(registers_, reg + 1); }

std::uint32_t Lowering::vector_source(std::uint8_t reg, unsigned registers) {
    if (reg == isa::register_zero) return 1;  // constant row 0
    note_register(reg + registers - 1);
    return static_cast<std::uint32_t>((sink_rows + uniform_rows + reg) * sizeof(Row));
}

std::uint32_t Lowering::uniform_source(std::uint8_t reg, unsigned) {
    if (reg >= isa::uniform_register_zero) return 1;
    return static_cast<std::uint32_t>((sink_rows + reg) * sizeof(Row));
}

std::uint32_t Lowering::vector_destination(std::uint8_t reg, unsigned registers) {
    if (reg == isa::register_zero) return 0;
    return vector_source(reg, registers);
}

std::uint32_t Lowering::uniform_destination(std::uint8_t reg, unsigned registers) {
    if (reg >= isa::uniform_register_zero) return 0;
    return uniform_source(reg, registers);
}

std::uint32_t Lowering::destination(const isa::Instruction& instruction, bool uniform, unsigned registers) {
    return uniform
               ? uniform_destination(static_cast<std::uint8_t>(instruction.word.get(fields::uniform_destination)),
                                     registers)
               : vector_destination(static_cast<std::uint8_t>(instruction.word.get(fields::destination)), registers);
}

std::uint32_t Lowering::immediate_pair(std::uint64_t value) {
    const auto [found, is_new] =
        pool_.try_emplace(value, static_cast<std::uint32_t>(launch_.constants.size() * sizeof(Row)) | 1U);
    if (is_new) {
        const std::size_t at = launch_.constants.size();
        launch_.constants.resize(at + 2);
        auto* lanes = reinterpret_cast<std::uint32_t*>(launch_.constants.data() + at * sizeof(Row));
        std::fill_n(lanes, warp_size, static_cast<std::uint32_t>(value));
        std::fill_n(lanes + warp_size, warp_size, static_cast<std::uint32_t>(value >> 32U));
    }
    return found->second;
}

std::uint32_t Lowering::immediate(std::uint32_t value) { return value == 0 ? 1U : immediate_pair(value); }

bool Lowering::constant(std::uint32_t bank, std::uint32_t offset, unsigned size, std::uint64_t& value) const {
    if (bank >= launch_.banks.size()) return false;
    const auto& bytes = launch_.banks[bank];
    if (offset > bytes.size() || size > bytes.size() - offset) return false;
    value = 0;
    std::memcpy(&value, bytes.data() + offset, size);
    return true;
}

std::uint32_t Lowering::source(const isa::Operand& operand, unsigned registers) {
    switch (operand.kind) {
        case isa::OperandKind::reg: return vector_source(operand.reg, registers);
        case isa::OperandKind::uniform_reg: return uniform_source(operand.reg, registers);
        case isa::OperandKind::immediate:
            return registers == 2 ? immediate_pair(static_cast<std::uint64_t>(operand.value) << 32U)
                                  : immediate(operand.value);
        case isa::OperandKind::constant: {
            std::uint64_t value = 0;
            constant(operand.bank, operand.value, registers * 4, value);
            return immediate_pair(value);
        }
        case isa::OperandKind::none:
        case isa::OperandKind::constant_bindless: break;
    }
    return 1;
}

void Lowering::predicates_written(MicroOp& op, const isa::Instruction& instruction, bool uniform) const {
    const auto index = [&](isa::Field field) {
        const auto predicate = static_cast<std::uint8_t>(instruction.word.get(field));
        if (predicate == isa::predicate_true) return predicate_sink;
        return static_cast<std::uint8_t>(predicate + (uniform ? uniform_predicates : 0));
    };
    op.p = index(fields::predicate_u);
    op.q = index(fields::predicate_v);
}

void Lowering::predicate_p(MicroOp& op, const isa::Instruction& instruction, bool uniform) const {
    op.s0 = static_cast<std::uint8_t>(instruction.word.get(fields::predicate_p) + (uniform ? uniform_predicates : 0U));
    if (instruction.word.get(fields::predicate_p_negate) != 0) op.source_flip |= 1U;
}
void Lowering::predicate_q(MicroOp& op, const isa::Instruction& instruction, bool uniform) const {
    op.s1 = static_cast<std::uint8_t>(instruction.word.get(fields::predicate_q) + (uniform ? uniform_predicates : 0U));
    if (instruction.word.get(fields::predicate_q_negate) != 0) op.source_flip |= 2U;
}
void Lowering::predicate_r(MicroOp& op, const isa::Instruction& instruction, bool uniform) const {
    op.s2 = static_cast<std::uint8_t>(instruction.word.get(fields::predicate_r) + (uniform ? uniform_predicates : 0U));
    if (instruction.word.get(fields::predicate_r_negate) != 0) op.source_flip |= 4U;
}

void Lowering::lower(const isa::Instruction& instruction, MicroOp& op) {
    op.full = op.masked = &do_nothing;
    op.guard =
        static_cast<std::uint8_t>(instruction.guard.predicate + (instruction.guard.uniform ? uniform_predicates : 0));
    op.guard_flip = instruction.guard.negate ? full_mask : 0;
    const bool uniform = on_uniform_datapath(instruction.opcode);
    if (uniform) op.always = full_mask;
    const Opcode equal = isa::vector_equivalent(instruction.opcode);
    const Opcode opcode = equal == Opcode::invalid ? instruction.opcode : equal;
    // UIADD3.64 adds register pairs: not modelled.
    const bool wide_uniform_add = instruction.opcode == Opcode::UIADD3 && instruction.form == isa::Form::wide;
    const bool known =
        !wide_uniform_add &&
        (lower_integer(*this, instruction, op, opcode, uniform) ||
         lower_comparison(*this, instruction, op, opcode, uniform) || lower_differences(*this, instruction, op) ||
         lower_extremes(*this, instruction, op) || lower_logic(*this, instruction, op, opcode, uniform) ||
         lower_move(*this, instruction, op, opcode, uniform) || lower_float(*this, instruction, op) ||
         lower_double(*this, instruction, op) || lower_half(*this, instruction, op) ||
         lower_convert(*this, instruction, op) || lower_pack(*this, instruction, op) ||
         lower_warp(*this, instruction, op) || lower_tensor(*this, instruction, op) ||
         lower_matrix(*this, instruction, op) || lower_memory(*this, instruction, op) ||
         lower_constant(*this, instruction, op) || lower_atomic(*this, instruction, op) ||
         lower_barrier(*this, instruction, op) || lower_control(*this, instruction, op));
    if (!known) op.control = Control::not_modelled;
}

void Lowering::run() {
    const auto count = static_cast<std::uint32_t>(program_.instructions.size());
    launch_.ops.assign(count + 1, MicroOp{});
    for (index_ = 0; index_ < count; ++index_) lower(program_.instructions[index_], launch_.ops[index_]);
    if (launch_.request.in_time_order) {
        const std::vector<bool> contended = isa::contended_instructions(program_);
        for (std::size_t at = 0; at < contended.size(); ++at)
            if (contended[at] && launch_.ops[at].control == Control::none) launch_.ops[at].control = Control::turn;
    }
    launch_.ops[count].control = Control::end_of_code;
    for (std::uint32_t at = count; at-- > 0;)
        launch_.ops[at].straight = launch_.ops[at].control == Control::none ? launch_.ops[at + 1].straight + 1 : 0;
    launch_.rows_per_warp = sink_rows + uniform_rows + registers_;
}

}  // namespace sassafras::sim
