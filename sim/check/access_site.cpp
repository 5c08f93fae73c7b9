#include "sim/check/access_site.hpp"

#include <algorithm>

#include "isa/sass/memory_order.hpp"

namespace sassafras::sim {

namespace {

/// isa::memory_order_of: 0 weak, 4 constant; .STRONG.SM, .GPU and .SYS above.
constexpr unsigned first_strong_order = 5;

bool has_order(isa::Opcode opcode) {
    switch (opcode) {
        case isa::Opcode::LDG:
        case isa::Opcode::STG:
        case isa::Opcode::LD:
        case isa::Opcode::ST: return true;
        default: return false;
    }
}

}  // namespace

CheckedSite checked_site(const isa::Instruction& instruction) {
    const MemorySite memory = memory_site(instruction);
    CheckedSite site{.space = memory.space,
                     .returns = memory.returns,
                     .copies_to_shared = memory.copies_to_shared,
                     .width = memory.width};
    switch (memory.kind) {
        case SharedAccessKind::load:
        case SharedAccessKind::matrix_load: site.kind = WarpAccess::Kind::read; break;
        case SharedAccessKind::store: site.kind = WarpAccess::Kind::write; break;
        case SharedAccessKind::atomic: site.kind = WarpAccess::Kind::atomic; break;
    }
    site.strong = site.kind == WarpAccess::Kind::atomic ||
                  (has_order(instruction.opcode) && isa::memory_order_of(instruction) >= first_strong_order);
    return site;
}

std::uint32_t smallest_access(const std::vector<CheckedSite>& sites, MemorySpace space) {
    std::uint32_t smallest = 4;
    for (const CheckedSite& site : sites)
        if (site.space == space || site.space == MemorySpace::generic ||
            (site.copies_to_shared && space == MemorySpace::shared))
            smallest = std::min(smallest, site.width);
    return smallest;
}

}  // namespace sassafras::sim
