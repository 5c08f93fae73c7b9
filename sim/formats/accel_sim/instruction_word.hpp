// The machine word that stands for a traced instruction. A trace has the opcode's text and its vector registers; the
// timing model and the trace file take decoded words. The word has what the trace tells and what timing asks for:
// operation, registers, width, scope of a barrier; what it does not tell is RZ, PT or zero. It is never executed.
#pragma once

#include "core/result.hpp"
#include "isa/sass/word.hpp"
#include "sim/formats/accel_sim/instruction_line.hpp"

namespace sassafras::sim::accel_sim {

/// As sm_90 writes it, whatever GPU was traced. Error not_modelled, without a place: no such operation, or one that the
/// model has no time for.
[[nodiscard]] Result<isa::Word128> word_of(const InstructionLine& line);

}  // namespace sassafras::sim::accel_sim
