// Turns decoded instructions into micro-ops: operands to rows, modifiers to specialised handlers.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "isa/program/program.hpp"
#include "isa/sass/fields.hpp"
#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

class Lowering {
  public:
    Lowering(const isa::Program& program, Launch& launch);

    /// Fills launch.ops, launch.constants and launch.rows_per_warp. Instructions that are not modelled stop only when
    /// executed.
    void run();

    // ---- for the lower_*.cpp files -------------------------------------------------------------------------
    /// Row of a source; `registers` consecutive ones (2 for 64-bit values). Immediates of 64 bits give the high half.
    std::uint32_t source(const isa::Operand& operand, unsigned registers = 1);
    std::uint32_t vector_source(std::uint8_t reg, unsigned registers = 1);
    std::uint32_t uniform_source(std::uint8_t reg, unsigned registers = 1);
    std::uint32_t destination(const isa::Instruction& instruction, bool uniform, unsigned registers = 1);
    std::uint32_t vector_destination(std::uint8_t reg, unsigned registers = 1);
    std::uint32_t uniform_destination(std::uint8_t reg, unsigned registers = 1);
    std::uint32_t immediate(std::uint32_t value);
    std::uint32_t immediate_pair(std::uint64_t value);
    /// Reads `size` bytes of a constant bank; false if out of its range.
    bool constant(std::uint32_t bank, std::uint32_t offset, unsigned size, std::uint64_t& value) const;

    void predicates_written(MicroOp& op, const isa::Instruction& instruction, bool uniform) const;  ///< Pu and Pv
    void predicate_p(MicroOp& op, const isa::Instruction& instruction, bool uniform) const;         ///< as source 0
    void predicate_q(MicroOp& op, const isa::Instruction& instruction, bool uniform) const;         ///< as source 1
    void predicate_r(MicroOp& op, const isa::Instruction& instruction, bool uniform) const;         ///< as source 2

    [[nodiscard]] std::uint32_t index() const { return index_; }
    [[nodiscard]] std::uint32_t pc() const { return index_ * isa::instruction_bytes; }
    [[nodiscard]] Launch& launch() { return launch_; }

  private:
    void lower(const isa::Instruction& instruction, MicroOp& op);
    void note_register(std::uint32_t reg);

    const isa::Program& program_;
    Launch& launch_;
    std::uint32_t index_ = 0;
    std::uint32_t registers_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> pool_;
};

void lower_lop3(Lowering&, const isa::Instruction&, MicroOp&, bool uniform);
// Each returns false for an operation that it does not know; `uniform` operations use UR and UP.
bool lower_integer(Lowering&, const isa::Instruction&, MicroOp&, isa::Opcode, bool uniform);
bool lower_comparison(Lowering&, const isa::Instruction&, MicroOp&, isa::Opcode, bool uniform);
bool lower_differences(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_extremes(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_logic(Lowering&, const isa::Instruction&, MicroOp&, isa::Opcode, bool uniform);
bool lower_move(Lowering&, const isa::Instruction&, MicroOp&, isa::Opcode, bool uniform);
bool lower_float(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_double(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_half(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_convert(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_pack(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_warp(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_tensor(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_matrix(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_memory(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_constant(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_atomic(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_barrier(Lowering&, const isa::Instruction&, MicroOp&);
bool lower_control(Lowering&, const isa::Instruction&, MicroOp&);

}  // namespace sassafras::sim
