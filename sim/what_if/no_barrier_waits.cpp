// Warps pass barriers of their block as if the barrier's guard were false: it is issued, and nobody waits.
#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

bool is_block_barrier(const isa::Instruction& instruction) { return instruction.opcode == isa::Opcode::BAR; }

}  // namespace sassafras::sim
