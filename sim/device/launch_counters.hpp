// Counts of a launch that need no time, from its records.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/device/device.hpp"
#include "sim/platform/platform.hpp"
#include "sim/trace/instruction_counters.hpp"
#include "sim/trace/memory_site.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

class LaunchCounters {
  public:
    LaunchCounters(const isa::Program& program, const Platform& platform);

    /// Takes all that is buffered.
    void drain(WarpTrace& trace);

    [[nodiscard]] std::uint64_t warp_instructions() const { return warp_instructions_; }
    [[nodiscard]] std::vector<InstructionCounts> counts() const { return counters_.finish(); }

  private:
    /// An instruction that has a payload in the trace: an access, or (no records) a value.
    struct Site {
        std::uint32_t instruction = 0;
        MemorySite memory;
    };
    void count_access(const Site& site, AccessRecord& access);
    void count_shared(const Site& site, const AccessRecord& access, SharedAccessKind kind);

    BankGeometry banks_;
    LineGeometry lines_;
    InstructionCounters counters_;
    GlobalAccess scratch_;
    std::uint64_t warp_instructions_ = 0;
    std::vector<Site> sites_;
    std::vector<std::uint32_t> first_site_;  ///< instruction -> first of sites_ at or after it; one more at the end
};

}  // namespace sassafras::sim
