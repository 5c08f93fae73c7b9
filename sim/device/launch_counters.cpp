#include "sim/device/launch_counters.hpp"

#include "sim/execute/address_space.hpp"

namespace sassafras::sim {

LaunchCounters::LaunchCounters(const isa::Program& program, const Platform& platform)
    : banks_{platform.sm.shared_banks, platform.sm.shared_bank_bytes},
      lines_{platform.lsu.l1_line_bytes, platform.lsu.sector_bytes},
      counters_(program.instructions.size()) {
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        first_site_.push_back(static_cast<std::uint32_t>(sites_.size()));
        const isa::Instruction& instruction = program.instructions[i];
        const bool has_value = instruction.opcode == isa::Opcode::BAR || instruction.opcode == isa::Opcode::NANOSLEEP;
        if (isa::is_memory_access(instruction.opcode) || has_value) sites_.push_back({i, memory_site(instruction)});
    }
    first_site_.push_back(static_cast<std::uint32_t>(sites_.size()));
}

void LaunchCounters::drain(WarpTrace& trace) {
    AccessRecord access;
    while (trace.has_segment()) {
        const Segment segment = trace.pop_segment();
        warp_instructions_ += segment.count;
        counters_.add_segment(segment);
        const std::uint32_t end = first_site_[segment.first + segment.count];
        for (std::uint32_t i = first_site_[segment.first]; i < end; ++i) {
            if (sites_[i].memory.space == MemorySpace::none) {
                (void)trace.pop_value();
            } else {
                trace.pop_access(access);
                if (access.mask != 0) count_access(sites_[i], access);
            }
        }
    }
}

void LaunchCounters::count_access(const Site& site, AccessRecord& access) {
    const auto shared = [&](const AccessRecord& lanes) {
        counters_.add_shared(site.instruction, shared_wavefronts(lanes, site.memory.width, site.memory.kind, banks_));
    };
    const auto global = [&](const AccessRecord& lanes) {
        global_lines(lanes, site.memory.width, lines_, scratch_);
        counters_.add_global(site.instruction, scratch_);
    };
    switch (site.memory.space) {
        case MemorySpace::none:
        case MemorySpace::local: return;
        case MemorySpace::shared: shared(access); return;
        case MemorySpace::global: global(access); return;
        case MemorySpace::generic: break;
    }
    std::uint32_t in_shared = 0;
    std::uint32_t in_global = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t address = access.address[static_cast<std::size_t>(lane)];
        const std::uint32_t bit = 1U << lane;
        if (in_shared_window(address)) {
            in_shared |= bit;
        } else if (!in_local_window(address)) {
            in_global |= bit;
        }
    }
    const std::uint32_t mask = access.mask;
    access.mask = mask & in_shared;
    if (access.mask != 0) shared(access);
    access.mask = mask & in_global;
    if (access.mask != 0) global(access);
}

}  // namespace sassafras::sim
