// DRAM with open rows against times worked out by hand. A cycle is a nanosecond: tRCD 20, tRP 30, tCAS 10, tRAS 60; a
// burst of 64 bytes takes two cycles, and 100 cycles pass outside the banks.
#include <catch2/catch.hpp>

#include "sim/timing/policies/address_map.hpp"
#include "sim/timing/policies/dram_scheduler.hpp"
#include "test_platform.hpp"

using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

Platform slow_rows() {
    Platform platform = test_platform();
    platform.clock.sm_mhz = 1000;
    platform.lsu.l1_line_bytes = 128;
    platform.l2.partitions = 1;
    platform.l2.slices = 1;
    platform.dram.channels = 1;
    platform.dram.banks = 2;
    platform.dram.row_bytes = 1024;
    platform.dram.bandwidth_gb_per_s = 32;
    platform.dram.access_bytes = 64;
    platform.dram.write_efficiency = 0.5;
    platform.dram.t_rcd_ns = 20;
    platform.dram.t_rp_ns = 30;
    platform.dram.t_cas_ns = 10;
    platform.dram.t_ras_ns = 60;
    platform.dram.latency_cycles = 130;
    platform.dram.refresh_interval_cycles = 0;
    return platform;
}

/// Eight lines a row; rows take turns over two banks, so rows 0, 2, 4 are the first bank's.
class OpenRows {
  public:
    explicit OpenRows(const Platform& platform = slow_rows()) : map_(platform), dram_(platform) {}
    std::uint64_t read(std::uint64_t time, std::uint64_t row, std::uint64_t column = 0, std::uint64_t bytes = 64) {
        return dram_.read(map_, {.channel = 0, .line = row * 8 + column, .time = time, .bytes = bytes});
    }
    std::uint64_t write(std::uint64_t time, std::uint64_t row) {
        return dram_.write(map_, {.channel = 0, .line = row * 8, .time = time, .bytes = 64});
    }

  private:
    InterleavedMap map_;
    OpenRowDram dram_;
};

constexpr std::uint64_t way = 100;

}  // namespace

TEST_CASE("an idle bank activates, an open row answers, another row is precharged for") {
    OpenRows dram;
    CHECK(dram.read(1000, 0) == 1000 + 20 + 10 + 2 + way);
    CHECK(dram.read(1200, 0, 3) == 1200 + 10 + 2 + way);
    CHECK(dram.read(1400, 2) == 1400 + 30 + 20 + 10 + 2 + way);
    CHECK(dram.read(1600, 1) == 1600 + 20 + 10 + 2 + way);  // the other bank is idle
    CHECK(dram.read(1800, 2) == 1800 + 10 + 2 + way);
    CHECK(dram.read(1900, 1) == 1900 + 10 + 2 + way);
}

TEST_CASE("a row stays open for tRAS; accesses of it go ahead of one that is to close it") {
    OpenRows dram;
    CHECK(dram.read(1000, 0) == 1000 + 32 + way);
    // Another row of the bank: precharged at 1060, activated at 1090, column at 1110.
    CHECK(dram.read(1010, 2) == 1110 + 10 + 2 + way);
    // What comes later and finds the row open, until 1060, is served before.
    CHECK(dram.read(1030, 0, 1) == 1030 + 10 + 2 + way);
    CHECK(dram.read(1049, 0, 2) == 1049 + 10 + 2 + way + 1);  // a burst's two cycles begin at an even one
    // From 1060 on the row must be opened again: row 2 stays open until 1090 + 60.
    CHECK(dram.read(1060, 0, 3) == 1150 + 30 + 20 + 10 + 2 + way);
}

TEST_CASE("bursts of a channel follow one another") {
    OpenRows dram;
    CHECK(dram.read(1000, 0, 0, 128) == 1000 + 30 + 4 + way);
    CHECK(dram.read(1000, 0, 1, 64) == 1000 + 30 + 6 + way);
    CHECK(dram.read(1000, 1, 0, 64) == 1000 + 30 + 8 + way);
}

TEST_CASE("a write at half the efficiency takes the channel for as long again") {
    OpenRows dram;
    CHECK(dram.write(1000, 0) == 1000 + 32 + way);
    // Eight of them: each burst is followed by one in which nothing moves.
    for (std::uint64_t i = 0; i < 8; ++i) CHECK(dram.write(2200, 0) == 2200 + 10 + 2 + i * 4 + way);
    CHECK(dram.read(2200, 0, 1) == 2200 + 10 + 2 + 8 * 4 + way);
}

TEST_CASE("refresh closes a row, and a bank answers nothing while it lasts") {
    Platform platform = slow_rows();
    platform.dram.refresh_interval_cycles = 10'000;
    platform.dram.refresh_cycles = 400;
    platform.dram.bandwidth_gb_per_s = 64;  // a burst in one cycle
    // The cycle at which a refresh of the first bank ends is the first of a run of quick reads.
    const auto alone = [&](std::uint64_t time) { return OpenRows(platform).read(time, 0) - time; };
    std::uint64_t end = 20'000;
    while (alone(end) <= 31 + way) ++end;
    while (alone(end) > 31 + way) ++end;
    CHECK(alone(end - 1) == 1 + 31 + way);
    CHECK(alone(end - 400) == 400 + 31 + way);
    CHECK(alone(end - 401) == 401 + 31 + way);  // no time to open a row before it
    CHECK(alone(end - 400 - 21) == 31 + way);
    OpenRows dram(platform);
    CHECK(dram.read(end, 0) == end + 31 + way);
    CHECK(dram.read(end + 9000, 0) == end + 9000 + 11 + way);
    CHECK(dram.read(end + 10'000, 0) == end + 10'000 + 31 + way);  // after the next refresh it must be opened again
}

TEST_CASE("a channel activates rows tRRD apart, or a quarter of tFAW, whichever is longer") {
    Platform platform = slow_rows();
    platform.dram.banks = 8;
    platform.dram.t_rrd_ns = 20;
    OpenRows spaced(platform);
    // Rows 0 to 4 are of a bank each. An activation takes a place of 20 cycles; 1000 is one.
    for (std::uint64_t row = 0; row < 5; ++row) CHECK(spaced.read(1000, row) == 1000 + 20 * row + 20 + 10 + 2 + way);
    CHECK(spaced.read(1300, 0, 3) == 1300 + 10 + 2 + way);  // an open row needs none

    platform.dram.t_faw_ns = 160;
    OpenRows windowed(platform);
    for (std::uint64_t row = 0; row < 5; ++row) CHECK(windowed.read(1000, row) == 1000 + 40 * row + 20 + 10 + 2 + way);

    platform.dram.t_rrd_ns = 0;
    platform.dram.t_faw_ns = 0;
    OpenRows free(platform);
    // Only the bursts of the channel are one after the other.
    for (std::uint64_t row = 0; row < 5; ++row) CHECK(free.read(1000, row) == 1000 + 20 + 10 + 2 * (row + 1) + way);
}
