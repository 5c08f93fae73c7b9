// L1 and accesses that take no time.
#include "sim/timing/sm/memory_unit.hpp"

namespace sassafras::sim {

/// As load_lines() and store_lines() have it.
void MemoryUnit::leave_untimed(UntimedAccess& access, std::vector<UntimedAccess>& evicted) {
    const LsuParameters& lsu = platform_.lsu;
    const bool reads = access.kind == RequestKind::load && !access.bypasses_l1;
    const bool keeps = (access.kind == RequestKind::store || access.kind == RequestKind::reduction) &&
                       lsu.l1_global_loads == L1GlobalLoads::cached;
    if (!reads && !keeps) return;
    SectoredCache::Line* line = l1_.find(access.line);
    if (line == nullptr) {
        SectoredCache::Line victim;
        line = l1_.allocate(access.line, victim);
        // Of local memory, where L1 keeps what is stored.
        if (victim.dirty != 0)
            evicted.push_back({.line = victim.tag, .sectors = victim.dirty, .kind = RequestKind::store});
    }
    if (!reads) return;
    const std::uint32_t there = line->valid | line->pending;
    const std::uint32_t of_line = (1U << (lsu.l1_line_bytes / lsu.sector_bytes)) - 1U;
    access.sectors = whole_granules(access.sectors & ~there, lsu.l1_fill_bytes / lsu.sector_bytes) & of_line & ~there;
    line->valid |= access.sectors;
}

}  // namespace sassafras::sim
