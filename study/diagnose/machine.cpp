#include "study/diagnose/machine.hpp"

#include <algorithm>

namespace sassafras::study {

namespace {

constexpr double hertz_a_megahertz = 1e6;
constexpr double bytes_a_gigabyte = 1e9;
constexpr double sector_bytes = 32;

}  // namespace

double Machine::ideal_ratio() const { return instructions_per_second / (dram_bytes_per_second / sector_bytes); }

Machine machine_of(const sim::Platform& platform) {
    Machine machine;
    machine.name = platform.name;
    machine.sm_count = platform.gpu.sm_count;
    machine.clock_hz = platform.clock.sm_mhz * hertz_a_megahertz;
    machine.max_warps_per_sm = platform.sm.max_warps;
    const std::uint32_t interval =
        std::max(platform.sm.issue_interval_cycles, platform.pipes.fma.issue_interval_cycles);
    machine.instructions_per_second = machine.clock_hz * platform.gpu.sm_count * platform.sm.subcores / interval;
    machine.dram_bytes_per_second = platform.dram.usable_gb_per_s() * bytes_a_gigabyte;
    machine.dram_latency_seconds = (platform.l2.hit_latency_cycles + platform.dram.latency_cycles) / machine.clock_hz;
    return machine;
}

}  // namespace sassafras::study
