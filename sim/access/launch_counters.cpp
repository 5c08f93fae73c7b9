#include "sim/access/launch_counters.hpp"

namespace sassafras::sim {

LaunchCounters::LaunchCounters(const isa::Program& program, const Platform& platform)
    : banks_{platform.sm.shared_banks, platform.sm.shared_bank_bytes},
      lines_{platform.lsu.l1_line_bytes, platform.lsu.sector_bytes},
      counters_(program.instructions.size()),
      sites_(program) {}

void LaunchCounters::drain(WarpTrace& trace) {
    AccessRecord access;
    while (trace.has_segment()) {
        const Segment before = trace.last_segment();
        const Segment segment = trace.pop_segment();
        warp_instructions_ += segment.count;
        counters_.add_segment(segment, before);
        const std::uint32_t end = sites_.end(segment);
        for (std::uint32_t i = sites_.begin(segment); i < end; ++i) {
            const PayloadSite& site = sites_[i];
            if (!site.is_access) {
                (void)trace.pop_value();
                continue;
            }
            trace.pop_access(access);
            count_access(site, access);
        }
    }
}

void LaunchCounters::count_shared(const PayloadSite& site, const AccessRecord& access) {
    if (access.mask == 0) return;
    counters_.add_shared(site.instruction, shared_wavefronts(access, site.width, site.kind, banks_));
}

void LaunchCounters::count_access(const PayloadSite& site, AccessRecord& access) {
    const LanesBySpace lanes = lanes_by_space(site.space, access);
    access.mask = lanes.shared;
    count_shared(site, access);
    if (lanes.global == 0) return;
    access.mask = lanes.global;
    global_lines(access, site.width, lines_, scratch_);
    counters_.add_global(site.instruction, scratch_, access.mask);
}

}  // namespace sassafras::sim
