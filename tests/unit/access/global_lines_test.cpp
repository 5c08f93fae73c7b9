// Lines and sectors of global accesses, by hand and against sets of byte addresses.
#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "core/random.hpp"
#include "sim/access/access_analysis.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint32_t every_lane = 0xffffffffU;

template <class Function>
AccessRecord record(std::uint32_t mask, Function&& address_of) {
    AccessRecord access;
    access.mask = mask;
    for (std::uint64_t lane = 0; lane < warp_size; ++lane)
        access.address[lane] = static_cast<std::uint64_t>(address_of(lane));
    return access;
}

GlobalAccess lines_of(const AccessRecord& access, std::uint32_t width, LineGeometry geometry = test::lines) {
    GlobalAccess out;
    out.line_count = 99;  // left over from an earlier access
    out.sector_count = 99;
    global_lines(access, width, geometry, out);
    return out;
}

/// Each byte of each lane, the slow way.
std::map<std::uint64_t, std::set<std::uint64_t>> naive(const AccessRecord& access, std::uint32_t width,
                                                       LineGeometry geometry) {
    std::map<std::uint64_t, std::set<std::uint64_t>> sectors;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if ((access.mask >> lane & 1U) == 0) continue;
        for (std::uint32_t byte = 0; byte < width; ++byte) {
            const std::uint64_t address = access.address[lane] + byte;
            sectors[address / geometry.line_bytes].insert(address % geometry.line_bytes / geometry.sector_bytes);
        }
    }
    return sectors;
}

}  // namespace

TEST_CASE("a coalesced warp of 32-bit accesses touches one line of four sectors") {
    const GlobalAccess out = lines_of(record(every_lane, [](std::uint64_t lane) { return 0x1000 + lane * 4; }), 4);
    CHECK(out.line_count == 1);
    CHECK(out.sector_count == 4);
    CHECK(out.lines[0].line == 0x1000 / 128);
    CHECK(out.lines[0].sectors == 0b1111);
}

TEST_CASE("wider lanes touch more lines, a broadcast one sector, no lane none") {
    CHECK(lines_of(record(every_lane, [](std::uint64_t lane) { return 0x2000 + lane * 8; }), 8).line_count == 2);
    const GlobalAccess wide = lines_of(record(every_lane, [](std::uint64_t lane) { return 0x2000 + lane * 16; }), 16);
    CHECK(wide.line_count == 4);
    CHECK(wide.sector_count == 16);
    const GlobalAccess same = lines_of(record(every_lane, [](std::uint64_t) { return 0x2024; }), 4);
    CHECK(same.line_count == 1);
    CHECK(same.lines[0].sectors == 0b0010);
    const GlobalAccess none = lines_of(record(0, [](std::uint64_t lane) { return lane * 4096; }), 4);
    CHECK(none.line_count == 0);
    CHECK(none.sector_count == 0);
}

TEST_CASE("strided lanes take a line each, in order of the lanes") {
    const GlobalAccess out = lines_of(record(every_lane, [](std::uint64_t lane) { return 0x100000 - lane * 128; }), 4);
    CHECK(out.line_count == 32);
    CHECK(out.sector_count == 32);
    for (std::size_t i = 0; i < 32; ++i) CHECK(out.lines[i].line == 0x100000 / 128 - i);
}

TEST_CASE("a misaligned warp straddles lines and sectors") {
    const GlobalAccess shifted =
        lines_of(record(every_lane, [](std::uint64_t lane) { return 0x1000 + 16 + lane * 4; }), 4);
    CHECK(shifted.line_count == 2);
    CHECK(shifted.sector_count == 5);
    // Every lane reaches into a second line: the most lines there can be.
    const GlobalAccess most = lines_of(record(every_lane, [](std::uint64_t lane) { return lane * 4096 + 120; }), 16);
    CHECK(most.line_count == 64);
    CHECK(most.sector_count == 64);
}

TEST_CASE("lines and sectors are those of the set of bytes touched", "[property]") {
    Random random(7);
    for (int trial = 0; trial < 3000; ++trial) {
        const LineGeometry geometry =
            std::array<LineGeometry, 4>{{{128, 32}, {64, 64}, {256, 32}, {128, 16}}}[random.below(4)];
        const std::uint32_t width = 1U << random.below(5);
        const std::uint64_t spread = std::uint64_t{1} << (4 + random.below(30));
        const std::uint64_t base = random.next_u64() >> 20U;
        const bool aligned = random.below(2) == 0;
        const AccessRecord access =
            record(random.next_u32() | (random.below(2) == 0 ? every_lane : 0), [&](std::uint64_t) {
                const std::uint64_t address = base + random.below(spread);
                return aligned ? address / width * width : address;
            });
        CAPTURE(trial, width, spread, geometry.line_bytes, geometry.sector_bytes, access.mask);
        const GlobalAccess out = lines_of(access, width, geometry);
        auto expected = naive(access, width, geometry);
        REQUIRE(out.line_count == expected.size());
        std::size_t sectors = 0;
        for (std::uint32_t i = 0; i < out.line_count; ++i) {
            std::uint32_t mask = 0;
            for (const std::uint64_t sector : expected.at(out.lines[i].line)) mask |= 1U << sector;
            REQUIRE(out.lines[i].sectors == mask);
            sectors += expected.at(out.lines[i].line).size();
        }
        REQUIRE(out.sector_count == sectors);
    }
}
