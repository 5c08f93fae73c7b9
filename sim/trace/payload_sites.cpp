#include "sim/trace/payload_sites.hpp"

namespace sassafras::sim {

PayloadSites::PayloadSites(const isa::Program& program) {
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        first_site_.push_back(static_cast<std::uint32_t>(sites_.size()));
        const isa::Instruction& instruction = program.instructions[i];
        const MemorySite memory = memory_site(instruction);
        for (std::uint8_t record = 0; record < memory.records; ++record)
            sites_.push_back({i, true, record == 0 ? memory.space : MemorySpace::shared, memory.width});
        const bool has_value = instruction.opcode == isa::Opcode::BAR || instruction.opcode == isa::Opcode::NANOSLEEP;
        if (has_value) sites_.push_back({.instruction = i});
    }
    first_site_.push_back(static_cast<std::uint32_t>(sites_.size()));
}

}  // namespace sassafras::sim
