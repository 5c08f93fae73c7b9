#include "sim/execute/lowering.hpp"
namespace sassafras::sim { bool lower_convert(Lowering&, const isa::Instruction&, MicroOp&) { return false; } }
