// Address maps against orders worked out by hand, and against where lines lie on an H200 and an H100.
#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/platform_reader.hpp"
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

struct Granule {
    std::uint64_t offset;
    std::vector<int> classes;  ///< of lines 0, 2, 8, 10, 16, 18, 24 and 26
};

/// slice_map.csv of that GPU's probes.
std::vector<Granule> recorded_granules(const std::string& gpu) {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/validate/records/" + gpu + "/probes/slice_map.csv");
    std::vector<Granule> granules;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#' || line[0] == 'o') continue;
        std::istringstream numbers(line);
        Granule granule{};
        char comma = 0;
        numbers >> granule.offset;
        for (int value = 0; numbers >> comma >> value;) granule.classes.push_back(value);
        granules.push_back(granule);
    }
    return granules;
}

/// What of an address the records' lines differ in, found with the rules themselves: each began 264 pages behind a
/// multiple of 8 GiB.
constexpr std::uint64_t recorded_base = std::uint64_t{264} << 21U;

}  // namespace

TEST_CASE("hashed: the parity of a granule's number says its partition") {
    Platform platform = two_partitions();
    CHECK(partitions_of_granules(HashedMap(platform), 0, 16) == "NFFNFNNFFNNFNFFN");
    CHECK(partitions_of_granules(HashedMap(platform), 1U << 20U, 4) == "FNNF");
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

TEST_CASE("xor_modulo: lines of a slice are of one class on the GPU, and no class has more than two slices") {
    struct Recorded {
        const char* gpu;
        std::size_t slices, classes;
    };
    for (const Recorded& recorded : {Recorded{"h200", 94, 71}, Recorded{"h100", 80, 59}}) {
        CAPTURE(recorded.gpu);
        const auto resolved = load_platform(recorded.gpu);
        REQUIRE(resolved.ok());
        const XorModuloMap map(resolved->platform);
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> class_of;
        std::map<int, std::set<std::pair<std::uint32_t, std::uint32_t>>> slices_of;
        const auto granules = recorded_granules(recorded.gpu);
        REQUIRE(granules.size() == 256 + 1023);
        for (const Granule& granule : granules) {
            REQUIRE(granule.classes.size() == 8);
            for (std::uint64_t group = 0; group < 8; ++group) {
                const std::uint64_t first = (recorded_base + granule.offset) / 128 + group / 2 * 8 + group % 2 * 2;
                for (const std::uint64_t line : {first, first + 1, first + 4, first + 5}) {
                    const std::pair place(map.partition(line), map.slice_of_partition(line));
                    const auto [at, is_new] = class_of.try_emplace(place, granule.classes[group]);
                    CAPTURE(granule.offset, group, place);
                    REQUIRE(at->second == granule.classes[group]);
                    slices_of[granule.classes[group]].insert(place);
                }
            }
        }
        CHECK(class_of.size() == recorded.slices);
        CHECK(slices_of.size() == recorded.classes);
        for (const auto& [number, slices] : slices_of) CHECK(slices.size() <= 2);
    }
}

TEST_CASE("xor_modulo: parities by hand") {
    Platform platform = test_platform();
    platform.lsu.l1_line_bytes = 128;
    platform.l2.partitions = 2;
    platform.l2.slices = 10;
    platform.l2.partition_granule_bytes = 512;
    platform.l2.partition_hash = {0, 0, 1, 1};
    platform.l2.slice_hash = {1, 2, 0, 3};
    platform.l2.slice_quotient_bit = 12;  // lines from 32 on
    const XorModuloMap map(platform);
    CHECK(map.partition(0b00000) == 0);
    CHECK(map.partition(0b00100) == 1);
    CHECK(map.partition(0b01000) == 1);
    CHECK(map.partition(0b01100) == 0);
    CHECK(map.slice_of_partition(0b00001) == 1);
    CHECK(map.slice_of_partition(0b00010) == 2);
    CHECK(map.slice_of_partition(0b00100) == 0);
    CHECK(map.slice_of_partition(0b01001) == 2);  // 3 ^ 1
    CHECK(map.slice_of_partition(0b01010) == 1);  // 3 ^ 2
    // The quotient counts above two bits of parities: 4 a piece, modulo 5.
    CHECK(map.slice_of_partition(32) == 4);
    CHECK(map.slice_of_partition(32 + 1) == 0);
    CHECK(map.slice_of_partition(64) == 3);
    // Bits that no list names flip nothing.
    CHECK(map.slice_of_partition(16) == 0);
}
