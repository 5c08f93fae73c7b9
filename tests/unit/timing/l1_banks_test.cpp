// L1 by banks of tags and of words. Expected cycles are an H200's (validate/records/h200/probes/l1_mix.csv: latencies
// of loads by the distance of their lanes, less that of lanes side by side).
#include <catch2/catch.hpp>

#include "tests/unit/timing/scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

constexpr isa::ControlCode loads{.stall = 1, .write_barrier = 0};
constexpr isa::ControlCode loads_again{.stall = 1, .write_barrier = 1, .wait_mask = 1};

/// As an H200's L1.
Platform banked_platform() {
    Platform platform = bare_platform();
    platform.lsu.tags_per_cycle = 4;
    platform.lsu.tag_hash = {1, 2, 1, 2, 3, 1, 2, 3, 2, 1, 2, 1, 3, 1, 3, 2, 1, 3, 1, 3, 2, 3, 1};
    platform.lsu.lines_per_wavefront = 0;
    platform.lsu.subcore_wavefront_interval_cycles = 1;
    platform.lsu.warp_wavefront_interval_cycles = 2;
    return platform;
}

/// Cycles of a load that L1 has, its lanes `words` apart.
std::uint64_t hit(const Platform& platform, std::uint64_t words) {
    const Payload lanes = lanes_at(1U << 20U, 4 * words);
    const Script once = Script().add(ldg, loads, 1, lanes);
    const Script twice = Script(once).add(ldg, loads_again, 1, lanes);
    return cycles(platform, Script(twice).exit(2)) - cycles(platform, Script(once).exit(1));
}

}  // namespace

TEST_CASE("a load takes a cycle for each further lookup and two for each further wavefront") {
    const Platform platform = banked_platform();
    const std::uint64_t side_by_side = hit(platform, 1);
    CHECK(hit(platform, 0) == side_by_side);
    CHECK(hit(platform, 2) == side_by_side + 2);
    CHECK(hit(platform, 4) == side_by_side + 6);
    CHECK(hit(platform, 8) == side_by_side + 15);
    CHECK(hit(platform, 16) == side_by_side + 33);
    CHECK(hit(platform, 32) == side_by_side + 69);
    CHECK(hit(platform, 33) == side_by_side + 7);  // 32 lines, words in banks of their own
    CHECK(hit(platform, 36) == side_by_side + 14);
    CHECK(hit(platform, 97) == side_by_side + 10);
    CHECK(hit(platform, 289) == side_by_side + 13);
}

TEST_CASE("where a line is a lookup and a wavefront, only the number of lines counts") {
    const Platform platform = bare_platform();
    CHECK(hit(platform, 32) == hit(platform, 33));
    CHECK(hit(platform, 32) > hit(platform, 1) + 60);
}

TEST_CASE("a load of a wide register takes a wavefront for each of its words, whoever takes part") {
    const Platform platform = banked_platform();
    constexpr isa::Word128 ldg_128{0x0000800404087981, 0x0c1e1d00};  ///< LDG.E.128 R8, desc[UR4][R4.64+0x80]
    const auto several = [&](std::uint32_t loads_beside, std::uint32_t mask) {
        Script script;
        script.add(ldg_128, loads, 1, lanes_at(1U << 20U, 16));
        script.add(ldg_128, loads_again, 1, lanes_at(1U << 20U, 16, mask));
        script.add(ldg_128, {.stall = 1, .write_barrier = 1}, loads_beside, lanes_at(1U << 20U, 16, mask));
        return cycles(platform, script.exit(2));
    };
    // Sixteen more, four wavefronts each, a warp's every second cycle.
    CHECK(several(16, 0b11) - several(0, 0b11) == 16 * 4 * 2);
    CHECK(several(16, full_mask) - several(0, full_mask) == 16 * 4 * 2);
}

// validate/records/h200/probes/store_shadow.csv, rows `own` of one warp: a load behind a store of lanes 33 words apart
// takes 43 cycles, of lanes 32 words apart 106.
TEST_CASE("a store whose words conflict leaves when it has gone through the data stage, and what is behind it then") {
    Platform platform = banked_platform();
    platform.lsu.store_wavefronts = 1;
    platform.lsu.store_port_lines = 8;
    const auto behind = [&](std::uint64_t words) {
        const Payload loaded = lanes_at(1U << 20U, 4);
        const Script first = Script().add(ldg, loads, 1, loaded);
        Script all = first;
        all.add(stg, {.stall = 1, .wait_mask = 1}, 1, lanes_at(1U << 24U, 4 * words));
        all.add(ldg, {.stall = 1, .write_barrier = 1}, 1, loaded);
        return cycles(platform, all.exit(2));
    };
    CHECK(behind(32) >= behind(33) + 50);
    CHECK(behind(32) <= behind(33) + 75);
}

TEST_CASE("lines of a store leave when the words of the loads before it have passed") {
    Platform platform = banked_platform();
    platform.lsu.store_bytes_per_cycle = 32;
    platform.lsu.store_mask_bytes = 32;
    platform.lsu.store_port_lines = 8;
    platform.lsu.outstanding_stores = 512;
    // Pairs of a load that L1 has and a store to other lines, 33 words apart: 64 cycles of the port.
    const auto pairs = [&](std::uint64_t words, std::uint32_t count) {
        Script script;
        script.add(ldg, loads, 1, lanes_at(1U << 20U, 4 * words));
        script.add(ldg, loads_again, 1, lanes_at(1U << 20U, 4 * words));
        for (std::uint32_t i = 0; i < count; ++i)
            script.add(ldg, {.stall = 1, .write_barrier = 1}, 1, lanes_at(1U << 20U, 4 * words))
                .add(stg, {.stall = 1}, 1, lanes_at(1U << 24U, 4 * 33));
        return cycles(
            platform,
            script.add(ldg, {.stall = 1, .write_barrier = 2, .wait_mask = 2}, 1, lanes_at(1U << 20U, 0)).exit(4));
    };
    CHECK(pairs(1, 12) - pairs(1, 4) == 8 * 64);
    // One warp's 32 wavefronts take 64 cycles, of which those of the last lines that wait for the port are not lost.
    const std::uint64_t in_a_bank = pairs(32, 12) - pairs(32, 4);
    CHECK(in_a_bank > 8 * (64 + 48));
    CHECK(in_a_bank <= 8 * (64 + 64));
}
