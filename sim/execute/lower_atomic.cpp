#include "sim/execute/lowering.hpp"
namespace sassafras::sim { bool lower_atomic(Lowering&, const isa::Instruction&, MicroOp&) { return false; } }
