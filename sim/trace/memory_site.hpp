// What a memory instruction accesses, as its encoding says: space, width, kind. Addresses come with the access records.
#pragma once

#include <cstdint>

#include "isa/sass/instruction.hpp"
#include "sim/trace/access_analysis.hpp"

namespace sassafras::sim {

enum class MemorySpace : std::uint8_t {
    none,  ///< no memory access
    global,
    shared,
    local,
    generic,  ///< each lane's address decides: global, or the shared or local window
};

struct MemorySite {
    MemorySpace space = MemorySpace::none;
    SharedAccessKind kind = SharedAccessKind::load;
    std::uint32_t width = 0;  ///< bytes a lane
};

/// Space none unless isa::is_memory_access(instruction.opcode). Operations that do not execute yet (LDSM, LDGSTS, ...)
/// are none as well: their records are not defined.
[[nodiscard]] MemorySite memory_site(const isa::Instruction& instruction);

}  // namespace sassafras::sim
