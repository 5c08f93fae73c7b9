// What L2's counters say of loads and stores whose line lies in either partition's memory (docs/decisions/0030).
#include <catch2/catch.hpp>

#include <array>
#include <cstddef>

#include "tests/unit/timing/memory_requests.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

TEST_CASE("what passes through two slices counts in both, and a single far sector with its granule") {
    Platform platform = even_platform();
    platform.l2.partitions = 2;
    platform.l2.far_latency_cycles = 100;
    const std::uint64_t granule = platform.dram.access_bytes / platform.lsu.sector_bytes;
    REQUIRE(granule == 2);
    constexpr auto reads = "lts__t_sectors_op_read.sum"_metric;
    constexpr auto hits = "lts__t_sectors_op_read_lookup_hit.sum"_metric;
    constexpr auto writes = "lts__t_sectors_op_write.sum"_metric;
    constexpr auto asked = "lts__t_sectors_srcunit_tex.sum"_metric;
    const auto counted = [&](auto&& act) {
        Memory memory(platform);
        act(memory);
        const MetricCounts& counts = memory.system.counters();
        return std::array{counts[reads], counts[hits], counts[writes], counts[asked]};
    };
    using Counts = std::array<std::uint64_t, 4>;
    std::size_t far_lines = 0;
    for (std::uint64_t line = 0; line < 64; ++line) {
        const bool far = counted([&](Memory& memory) { memory.store(1000, line, 0b1111); })[2] == 8;
        far_lines += far ? 1 : 0;
        CAPTURE(line, far);
        CHECK(counted([&](Memory& memory) { memory.store(1000, line, 0b1111); }) ==
              (far ? Counts{0, 0, 8, 4} : Counts{0, 0, 4, 4}));
        CHECK(counted([&](Memory& memory) { memory.load(1000, line, 0b1111); }) ==
              (far ? Counts{8, 0, 0, 4} : Counts{4, 0, 0, 4}));
        CHECK(counted([&](Memory& memory) { memory.load(1000, line, 0b0001); }) ==
              (far ? Counts{3, 0, 0, 1} : Counts{1, 0, 0, 1}));
        // The second time the near slice has it.
        CHECK(counted([&](Memory& memory) {
                  memory.load(1000, line, 0b1111);
                  memory.load(20'000, line, 0b1111);
              }) == (far ? Counts{12, 4, 0, 8} : Counts{8, 4, 0, 8}));
        // The granule's other sector has come along, from the far side, too; the next granule's has not.
        CHECK(counted([&](Memory& memory) {
                  memory.load(1000, line, 0b0001);
                  memory.load(20'000, line, 0b0010);
              }) == (far ? Counts{4, 1, 0, 2} : Counts{2, 1, 0, 2}));
        CHECK(counted([&](Memory& memory) {
                  memory.load(1000, line, 0b0001);
                  memory.load(20'000, line, 0b0100);
              }) == (far ? Counts{6, 0, 0, 2} : Counts{2, 0, 0, 2}));
    }
    CHECK(far_lines == 32);
}
