#include "sim/access/launch_counters.hpp"

#include <algorithm>
#include <bit>

namespace sassafras::sim {

LaunchCounters::LaunchCounters(const isa::Program& program, const Platform& platform)
    : banks_{platform.sm.shared_banks, platform.sm.shared_bank_bytes},
      lines_{platform.lsu.l1_line_bytes, platform.lsu.sector_bytes},
      counters_(program.instructions.size()),
      sites_(program),
      known_(sites_.all().size()),
      period_(std::max<std::uint64_t>(lines_.line_bytes, std::uint64_t{banks_.banks} * banks_.bank_bytes)) {
    if (!std::has_single_bit(period_)) period_ = 0;
}

void LaunchCounters::count_access(const PayloadSite& site, std::span<const std::uint64_t> words, KnownAccess& known) {
    // Where a generic address lies decides, too.
    if (period_ == 0 || site.space == MemorySpace::generic || !known.is_like(words, period_)) {
        known.keep(words);
        count_decoded(site, words, known);
        return;
    }
    const auto lanes = static_cast<std::uint32_t>(words[0]);
    if (lanes == 0) return;
    if (site.space == MemorySpace::shared) counters_.add_shared(site.instruction, known.shared);
    if (site.space == MemorySpace::global) counters_.add_global(site.instruction, known.sectors, known.lines, lanes);
}

void LaunchCounters::count_decoded(const PayloadSite& site, std::span<const std::uint64_t> words, KnownAccess& known) {
    AccessRecord access;
    WarpTrace::decode(words, access);
    const LanesBySpace lanes = lanes_by_space(site.space, access);
    access.mask = lanes.shared;
    if (access.mask != 0) {
        known.shared = shared_wavefronts(access, site.width, site.kind, banks_);
        counters_.add_shared(site.instruction, known.shared);
    }
    access.mask = lanes.global;
    if (access.mask == 0) return;
    global_lines(access, site.width, lines_, scratch_);
    known.sectors = scratch_.sector_count;
    known.lines = scratch_.line_count;
    counters_.add_global(site.instruction, scratch_, access.mask);
}

}  // namespace sassafras::sim
