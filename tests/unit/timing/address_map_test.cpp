// Address maps against orders worked out by hand.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "sim/timing/policies/address_map.hpp"
#include "test_platform.hpp"

using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

Platform two_partitions() {
    Platform platform = test_platform();
    platform.lsu.l1_line_bytes = 128;
    platform.l2.partitions = 2;
    platform.l2.slices = 10;
    platform.l2.partition_granule_bytes = 4096;
    platform.l2.partition_parity_bits = 52;
    platform.dram.channels = 4;
    platform.dram.banks = 3;
    platform.dram.row_bytes = 1024;
    return platform;
}

template <class Map>
std::string partitions_of_granules(const Map& map, std::uint64_t first, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) {
        result += map.partition(first * 32) == 0 ? 'N' : 'F';
        ++first;
    }
    return result;
}

}  // namespace

TEST_CASE("hashed: the parity of a granule's number says its partition, as far as its bits count") {
    Platform platform = two_partitions();
    // As an H200's partitions follow one another (validate/records/h200/probes/partitions.txt).
    CHECK(partitions_of_granules(HashedMap(platform), 0, 16) == "NFFNFNNFFNNFNFFN");
    CHECK(partitions_of_granules(HashedMap(platform), 1U << 20U, 4) == "FNNF");
    platform.l2.partition_parity_bits = 2;
    CHECK(partitions_of_granules(HashedMap(platform), 0, 12) == "NFFNNFFNNFFN");
    platform.l2.partitions = 1;
    CHECK(partitions_of_granules(HashedMap(platform), 0, 4) == "NNNN");
}

TEST_CASE("hashed: a group of neighbours goes round the slices once, from a start of its own") {
    const HashedMap map(two_partitions());
    std::vector<std::uint32_t> starts(5);
    for (std::uint64_t group = 0; group < 200; ++group) {
        const std::uint32_t start = map.slice_of_partition(group * 5);
        ++starts[start];
        for (std::uint32_t i = 1; i < 5; ++i) REQUIRE(map.slice_of_partition(group * 5 + i) == (start + i) % 5);
    }
    for (const std::uint32_t count : starts) CHECK(count > 20);
}

TEST_CASE("interleaved: everything takes turns") {
    const InterleavedMap map(two_partitions());
    CHECK(partitions_of_granules(map, 0, 6) == "NFNFNF");
    for (std::uint64_t line = 0; line < 50; ++line) CHECK(map.slice_of_partition(line) == line % 5);
    // A row of each of four channels: 4 KiB, 32 lines.
    CHECK(map.row(31).number == 0);
    CHECK(map.row(32).number == 1);
    CHECK(map.row(32).bank == 1);
    CHECK(map.row(3 * 32).bank == 0);
    CHECK(map.row(3 * 32).number == 3);
    CHECK(map.channel(9) == 1);
}
