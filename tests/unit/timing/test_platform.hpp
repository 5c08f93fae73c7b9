// Numbers of a whole GPU to change a few of. What makes DRAM's and L2's answers depend on what came before is off;
// tests of it turn it on.
#pragma once

#include <catch2/catch.hpp>

#include "sim/platform/platform_reader.hpp"

namespace sassafras::sim::test {

inline Platform test_platform() {
    const auto resolved = load_platform("h200");
    if (!resolved) FAIL(resolved.error().message());
    Platform platform = resolved->platform;
    platform.dram.scheduler = DramSchedulers::named("in_order");
    platform.dram.pseudo_channels = 1;
    platform.dram.row_span_bytes = 0;
    platform.dram.row_miss_cycles = 0;
    platform.dram.t_rrd_ns = 0;
    platform.l2.slice_request_cycles = 0;
    platform.l2.slice_dirty_lines = 0;
    platform.l2.slice_partial_lines = 0;
    return platform;
}

}  // namespace sassafras::sim::test
