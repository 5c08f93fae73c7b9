// What a memory instruction accesses: space, width and kind as its encoding says, and for generic addresses the space
// that each lane reaches. The one place that says so; counting and timing both ask here.
#pragma once

#include <cstdint>

#include "isa/sass/instruction.hpp"
#include "sim/access/access_analysis.hpp"

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
    std::uint32_t width = 0;        ///< bytes a lane
    bool returns = false;           ///< gives a value back (loads and all atomics but reductions)
    bool copies_to_shared = false;  ///< LDGSTS: what it loads is stored to the addresses of a second record
    std::uint8_t records = 0;       ///< access records in the trace
};

/// Space none unless isa::is_memory_access(instruction.opcode). Operations that do not execute yet (STAS, REDAS)
/// have space none as well, and one record, which is empty: they are in a trace only when every lane is predicated off.
[[nodiscard]] MemorySite memory_site(const isa::Instruction& instruction);

/// Access records that an executed instruction owns in the trace: memory_site(instruction).records.
[[nodiscard]] std::uint8_t access_records(isa::Opcode opcode);

/// The lanes of an access by what they reach; disjoint, together the access' mask.
struct LanesBySpace {
    std::uint32_t global = 0;
    std::uint32_t shared = 0;
    std::uint32_t local = 0;
};

/// `space` is the instruction's; only generic ones look at addresses.
[[nodiscard]] LanesBySpace lanes_by_space(MemorySpace space, const AccessRecord& access);

}  // namespace sassafras::sim
