// Local memory holds what registers do not, and arrays of a thread: here its loads and stores are not issued. What
// computes their addresses still is; lanes that come to local memory by a generic address still do.
#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

bool accesses_local_memory(const isa::Instruction& instruction) {
    return instruction.opcode == isa::Opcode::LDL || instruction.opcode == isa::Opcode::STL;
}

}  // namespace sassafras::sim
