#include <catch2/catch.hpp>

#include "sim/device/launch_traffic.hpp"
#include "sim/platform/platform_reader.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

Platform platform_with_traffic() {
    Platform platform = load_platform("h200")->platform;
    platform.fetch.code_l2_reads = 9;
    platform.gpu.launch_l2_read_sectors = 950;
    platform.gpu.launch_l2_write_sectors = 300;
    platform.gpu.launch_l2_write_interval_cycles = 80;
    platform.gpu.launch_dram_read_sectors = 78;
    return platform;
}

isa::Program program_of(std::size_t instructions) {
    isa::Program program;
    program.instructions.resize(instructions);
    return program;
}

}  // namespace

TEST_CASE("a launch reads its kernel's code, and what starts it") {
    MetricCounts events;
    count_launch_traffic(events, program_of(64), platform_with_traffic(), {}, {});  // 1,024 bytes: 32 sectors
    CHECK(events["lts__t_sectors_op_read.sum"_metric] == 9 * 32 + 950);
    CHECK(events["lts__t_sectors_op_read_lookup_hit.sum"_metric] == 9 * 32 + 950 - (32 + 78));
    CHECK(events["dram__bytes_read.sum"_metric] == 32 * (32 + 78));
}

TEST_CASE("what is written beside a kernel grows with its time, up to a number") {
    const auto written = [](std::uint64_t cycles) {
        MetricCounts events;
        events["sm__cycles_elapsed.max"_metric] = cycles;
        count_launch_traffic(events, program_of(64), platform_with_traffic(), {}, {});
        return events["lts__t_sectors_op_write.sum"_metric];
    };
    CHECK(written(79) == 0);
    CHECK(written(8000) == 100);
    CHECK(written(24000) == 300);
    CHECK(written(1000000) == 300);
}

TEST_CASE("of a long kernel every GPC is brought the begin, the rest who asks for it") {
    Platform platform = platform_with_traffic();
    platform.fetch.line_bytes = 128;
    platform.fetch.gpc_lines = 1024;
    platform.fetch.gpc_launch_lines = 512;
    platform.l2.partitions = 2;
    MetricCounts events;
    count_launch_traffic(events, program_of(10000), platform, {}, {.lines = 100, .from_dram = 50});
    CHECK(events["lts__t_sectors_op_read.sum"_metric] == 9 * 512 * 4 + 950 + 600);
    CHECK(events["dram__bytes_read.sum"_metric] == 32 * (512 * 4 + 78 + 200));
}

TEST_CASE("code that L2 has is not read from DRAM") {
    MetricCounts events;
    count_launch_traffic(events, program_of(63), platform_with_traffic(), {.any = true, .of_kernel = true},
                         {});  // 1,008 bytes: 32 sectors, too
    CHECK(events["lts__t_sectors_op_read.sum"_metric] == 9 * 32 + 950);
    CHECK(events["lts__t_sectors_op_read_lookup_hit.sum"_metric] == 9 * 32 + 950);
    CHECK(events["dram__bytes_read.sum"_metric] == 0);
}

TEST_CASE("another kernel's launch has left what every launch reads") {
    MetricCounts events;
    count_launch_traffic(events, program_of(64), platform_with_traffic(), {.any = true}, {});
    CHECK(events["dram__bytes_read.sum"_metric] == 32 * 32);
    CHECK(events["lts__t_sectors_op_read_lookup_hit.sum"_metric] == 9 * 32 + 950 - 32);
}

TEST_CASE("a platform that says nothing of a launch's traffic counts none") {
    Platform platform = platform_with_traffic();
    platform.fetch.code_l2_reads = 0;
    platform.gpu.launch_l2_read_sectors = 0;
    platform.gpu.launch_l2_write_interval_cycles = 0;
    platform.gpu.launch_dram_read_sectors = 0;
    MetricCounts events;
    count_launch_traffic(events, program_of(64), platform, {}, {});
    CHECK(events["lts__t_sectors_op_read.sum"_metric] == 0);
    CHECK(events["lts__t_sectors_op_write.sum"_metric] == 0);
    CHECK(events["dram__bytes_read.sum"_metric] == 0);
}
