// What every address map of the table keeps to, on GPUs of several shapes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "sim/timing/memory/memory_system.hpp"
#include "sim/timing/memory/sm_placement.hpp"
#include "sim/timing/policies/address_map.hpp"
#include "sim/timing/policies/make_policy.hpp"
#include "tests/unit/timing/test_platform.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

struct Shape {
    std::uint32_t partitions;
    std::uint32_t slices;
    std::uint32_t channels;
};

/// Calls `check(map, platform)` for every map of the table and some GPUs.
template <class Check>
void for_each_map(Check&& check) {
    for_each_policy<AddressMaps>([&]<class Map>(AddressMaps::Choice policy, std::string_view name) {
        for (const Shape& shape :
             {Shape{1, 1, 1}, Shape{1, 10, 5}, Shape{2, 94, 48}, Shape{2, 96, 48}, Shape{4, 24, 12}}) {
            CAPTURE(name, shape.partitions, shape.slices, shape.channels);
            Platform platform = test_platform();
            platform.l2.address_map = policy;
            platform.l2.partitions = shape.partitions;
            platform.l2.slices = shape.slices;
            platform.dram.channels = shape.channels;
            const Map map(platform);
            check(map, platform);
        }
    });
}

}  // namespace

TEST_CASE("a line has one partition, slice, channel, bank and row, and each is one that there is") {
    for_each_map([](const auto& map, const Platform& platform) {
        Random random(1);
        for (int step = 0; step < 2000; ++step) {
            const std::uint64_t line = random.next_u64() >> (20 + random.below(40));
            REQUIRE(map.partition(line) < platform.l2.partitions);
            REQUIRE(map.slice_of_partition(line) < platform.l2.slices / platform.l2.partitions);
            REQUIRE(map.row(line).bank < platform.dram.banks);
            const auto again = map;
            REQUIRE(map.partition(line) == again.partition(line));
            REQUIRE(map.slice_of_partition(line) == again.slice_of_partition(line));
            REQUIRE(map.row(line).number == again.row(line).number);
        }
        for (std::uint32_t slice = 0; slice < platform.l2.slices; ++slice)
            REQUIRE(map.channel(slice) < platform.dram.channels);
    });
}

TEST_CASE("neighbours lie in all slices, partitions, channels and banks alike") {
    for_each_map([](const auto& map, const Platform& platform) {
        const std::uint32_t partition_slices = platform.l2.slices / platform.l2.partitions;
        // Whole groups of lines and of granules, so that only an uneven map is uneven.
        const std::uint64_t lines_of_granule = platform.l2.partition_granule_bytes / platform.lsu.l1_line_bytes;
        const std::uint64_t lines = lines_of_granule * partition_slices * 1024;
        std::vector<std::uint64_t> slices(partition_slices);
        std::vector<std::uint64_t> partitions(platform.l2.partitions);
        for (std::uint64_t line = 0; line < lines; ++line) {
            ++slices[map.slice_of_partition(line)];
            ++partitions[map.partition(line)];
        }
        for (const std::uint64_t count : slices) REQUIRE(count == lines / partition_slices);
        for (const std::uint64_t count : partitions)
            REQUIRE(static_cast<double>(count) ==
                    Approx(static_cast<double>(lines) / platform.l2.partitions).epsilon(0.1));
        std::set<std::uint32_t> channels;
        for (std::uint32_t slice = 0; slice < platform.l2.slices; ++slice) channels.insert(map.channel(slice));
        REQUIRE(channels.size() == platform.dram.channels);
        const std::uint64_t lines_of_row =
            std::uint64_t{platform.dram.row_bytes} * platform.dram.channels / platform.lsu.l1_line_bytes;
        std::vector<std::uint64_t> banks(platform.dram.banks);
        const std::uint64_t rows = std::uint64_t{platform.dram.banks} * 256;
        for (std::uint64_t row = 0; row < rows; ++row) ++banks[map.row(row * lines_of_row).bank];
        // 256 rows each, give or take five deviations of a binomial.
        for (const std::uint64_t count : banks) REQUIRE(static_cast<double>(count) == Approx(256).margin(80));
    });
}

TEST_CASE("a granule has one partition, and a row one bank") {
    for_each_map([](const auto& map, const Platform& platform) {
        const std::uint64_t lines_of_granule = platform.l2.partition_granule_bytes / platform.lsu.l1_line_bytes;
        const std::uint64_t lines_of_row =
            std::uint64_t{platform.dram.row_bytes} * platform.dram.channels / platform.lsu.l1_line_bytes;
        Random random(2);
        for (int step = 0; step < 500; ++step) {
            const std::uint64_t number = random.below(std::uint64_t{1} << 30U);
            REQUIRE(map.partition(number * lines_of_granule) ==
                    map.partition(number * lines_of_granule + random.below(lines_of_granule)));
            const DramRow first = map.row(number * lines_of_row);
            const DramRow other = map.row(number * lines_of_row + random.below(lines_of_row));
            REQUIRE(first.number == other.number);
            REQUIRE(first.bank == other.bank);
            REQUIRE(map.row((number + 1) * lines_of_row).number != first.number);
        }
    });
}

TEST_CASE("a line is near to the SMs of one partition and far from all others") {
    for_each_policy<AddressMaps>([&]<class Map>(AddressMaps::Choice policy, std::string_view name) {
        for (const std::uint32_t partitions : {1U, 2U, 4U}) {
            CAPTURE(name, partitions);
            Platform platform = test_platform();
            platform.l2.address_map = policy;
            platform.l2.partitions = partitions;
            platform.l2.slices = 24;
            platform.l2.bytes = 24 * 16 * 128;
            platform.l2.far_latency_cycles = 100;
            platform.l2.slice_spread_cycles = 0;
            platform.dram.refresh_interval_cycles = 0;
            const Map map(platform);
            const SmPlacement placement(platform);
            for (std::uint64_t granule = 0; granule < 40; ++granule) {
                const std::uint64_t line = granule * platform.l2.partition_granule_bytes / platform.lsu.l1_line_bytes;
                for (std::uint32_t sm = 0; sm < platform.gpu.sm_count; sm += 10) {
                    MemorySystem memory(platform);
                    memory.begin_launch(true);
                    std::vector<std::vector<MemoryResponse>> responses(platform.gpu.sm_count);
                    const auto load = [&](std::uint16_t from, std::uint64_t time) {
                        for (auto& list : responses) list.clear();
                        memory.process({{.time = time, .line = line, .sectors = 1, .sm = from}}, responses);
                        return responses[from].at(0).time - time;
                    };
                    // Once the memory's own partition has it, a near load is a hit and a far one takes the way across.
                    std::uint16_t near = 0;
                    while (placement.partition(near) != map.partition(line)) ++near;
                    load(near, 1000);
                    const std::uint64_t hit = memory.lookahead();
                    const bool far = placement.partition(sm) != map.partition(line);
                    REQUIRE(load(static_cast<std::uint16_t>(sm), 100'000) == hit + (far ? 100 : 0));
                }
            }
        }
    });
}
