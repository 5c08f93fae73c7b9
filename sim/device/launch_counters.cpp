#include "sim/device/launch_counters.hpp"

namespace sassafras::sim {

LaunchCounters::LaunchCounters(const isa::Program& program, const Platform& platform)
    : banks_{platform.sm.shared_banks, platform.sm.shared_bank_bytes},
      lines_{platform.lsu.l1_line_bytes, platform.lsu.sector_bytes},
      counters_(program.instructions.size()) {
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        first_site_.push_back(static_cast<std::uint32_t>(sites_.size()));
        const isa::Instruction& instruction = program.instructions[i];
        const bool has_value = instruction.opcode == isa::Opcode::BAR || instruction.opcode == isa::Opcode::NANOSLEEP;
        const MemorySite memory = memory_site(instruction);
        if (memory.records != 0 || has_value) sites_.push_back({i, memory});
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
            const Site& site = sites_[i];
            if (site.memory.records == 0) {
                (void)trace.pop_value();
                continue;
            }
            trace.pop_access(access);
            count_access(site, access);
            if (!site.memory.copies_to_shared) continue;
            trace.pop_access(access);
            count_shared(site, access, SharedAccessKind::store);
        }
    }
}

void LaunchCounters::count_shared(const Site& site, const AccessRecord& access, SharedAccessKind kind) {
    if (access.mask == 0) return;
    counters_.add_shared(site.instruction, shared_wavefronts(access, site.memory.width, kind, banks_));
}

void LaunchCounters::count_access(const Site& site, AccessRecord& access) {
    const LanesBySpace lanes = lanes_by_space(site.memory.space, access);
    access.mask = lanes.shared;
    count_shared(site, access, site.memory.kind);
    if (lanes.global == 0) return;
    access.mask = lanes.global;
    global_lines(access, site.memory.width, lines_, scratch_);
    counters_.add_global(site.instruction, scratch_);
}

}  // namespace sassafras::sim
