#include "sim/execute/lowering.hpp"
namespace sassafras::sim { bool lower_special(Lowering&, const isa::Instruction&, MicroOp&) { return false; } }
