// Which ports of the register file an instruction takes, and which half of the pipe for multiplications.
#pragma once

#include "isa/sass/instruction.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

/// Fills in the banks that `op`, whose unit and action are known, reads and writes, at issue or from a queue, and the
/// registers of its address. `before` is the instruction before it, which may leave it registers in the reuse cache;
/// null if there is none.
void name_ports(TimingOp& op, const isa::RegisterUse& use, const isa::Instruction* before, const Platform& platform);

}  // namespace sassafras::sim
