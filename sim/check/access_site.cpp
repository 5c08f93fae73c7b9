#include "sim/check/access_site.hpp"

#include <algorithm>

#include "isa/sass/fields.hpp"
#include "isa/sass/memory_order.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint32_t barrier_word_bytes = 8;
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

SyncsStep syncs_step(const isa::Instruction& instruction) {
    switch (instruction.form) {
        case isa::Form::exchange: return SyncsStep::initialise;
        case isa::Form::arrive: return SyncsStep::arrive;
        case isa::Form::check_phase: return SyncsStep::wait;
        default: return SyncsStep::other;
    }
}

bool counts_as_arrival(const isa::Instruction& instruction) {
    constexpr std::uint64_t one_arrival_and_bytes = 0;
    constexpr std::uint64_t one_arrival = 1;
    constexpr std::uint64_t arrivals = 5;
    const std::uint64_t parameters = instruction.word.get(isa::fields::syncs_parameters);
    return parameters == one_arrival_and_bytes || parameters == one_arrival || parameters == arrivals;
}

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
        case SharedAccessKind::count:
        case SharedAccessKind::swap:
        case SharedAccessKind::try_swap:
        case SharedAccessKind::atomic: site.kind = WarpAccess::Kind::atomic; break;
    }
    if (instruction.opcode == isa::Opcode::SYNCS) {
        // A barrier in memory is changed as by atomics. It is initialised by an ordinary write, which must be ordered
        // before what others do with it.
        const bool initialises = syncs_step(instruction) == SyncsStep::initialise;
        site.kind = initialises ? WarpAccess::Kind::write : WarpAccess::Kind::atomic;
        site.strong = !initialises;
        site.width = barrier_word_bytes;
        return site;
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
