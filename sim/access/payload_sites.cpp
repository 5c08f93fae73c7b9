#include "sim/access/payload_sites.hpp"

#include "isa/sass/constant_load.hpp"

namespace sassafras::sim {

PayloadSites::PayloadSites(const isa::Program& program) {
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        first_site_.push_back(static_cast<std::uint32_t>(sites_.size()));
        const isa::Instruction& instruction = program.instructions[i];
        const MemorySite memory = memory_site(instruction);
        if (memory.records != 0) sites_.push_back({i, true, memory.space, memory.kind, memory.width});
        if (memory.copies_to_shared)
            sites_.push_back({i, true, MemorySpace::shared, SharedAccessKind::store, memory.width});
        const bool has_value = instruction.opcode == isa::Opcode::BAR || instruction.opcode == isa::Opcode::NANOSLEEP ||
                               isa::is_indexed_constant_load(instruction);
        if (has_value) sites_.push_back({.instruction = i});
    }
    first_site_.push_back(static_cast<std::uint32_t>(sites_.size()));
}

}  // namespace sassafras::sim
