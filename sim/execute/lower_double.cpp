#include "sim/execute/lowering.hpp"
namespace sassafras::sim { bool lower_double(Lowering&, const isa::Instruction&, MicroOp&) { return false; } }
