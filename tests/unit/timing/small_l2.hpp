// An L2 of 64 lines in four slices, which a few accesses fill.
#pragma once

#include <cstdint>

#include "tests/fixture_platform.hpp"

namespace sassafras::sim::test {

inline constexpr std::uint64_t small_l2_line_bytes = 128;

inline Platform small_l2(std::uint32_t partitions) {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = 132;
    platform.gpu.gpc_sms = 16;
    platform.l2.partitions = partitions;
    platform.l2.slices = 4;
    platform.l2.ways = 4;
    platform.l2.bytes = 64 * small_l2_line_bytes;
    platform.dram.refresh_interval_cycles = 0;
    return platform;
}

}  // namespace sassafras::sim::test
