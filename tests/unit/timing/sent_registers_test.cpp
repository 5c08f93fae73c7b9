// What accesses to memory send, register by register. Expected cycles are an H200's, of one warp
// (validate/records/h200/probes/memory_latencies.csv; a release or a result there is a cycle less than here).
#include <catch2/catch.hpp>

#include "tests/unit/timing/scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

constexpr isa::Word128 ldl{0x0000000001057983, 0x00100800};         ///< LDL R5, [R1]
constexpr isa::Word128 ldl_128{0x0000000001087983, 0x00100c00};     ///< LDL.128 R8, [R1]
constexpr isa::Word128 stl{0x0000000501007387, 0x00100800};         ///< STL [R1], R5
constexpr isa::Word128 sts_of_one{0x0000000500007388, 0x00000800};  ///< STS [R0], R5
constexpr isa::Word128 sts_128{0x0000000800007388, 0x00000c00};     ///< STS.128 [R0], R8
constexpr isa::Word128 stg_128{0x0003001002007986, 0x0c101d04};     ///< STG.E.128 desc[UR4][R2.64+0x300], R16

/// As an H200's memory unit.
Platform measured_platform() {
    Platform platform = bare_platform();
    LsuParameters& lsu = platform.lsu;
    lsu.issue_interval_cycles = 2;
    lsu.address_register_cycles = 2;
    lsu.operand_register_cycles = 2;
    lsu.register_read_latency_cycles = 6;
    lsu.store_data_lag_cycles = 1;
    lsu.shared_load_latency_cycles = 23;
    lsu.l1_hit_latency_cycles = 31;
    lsu.load_register_cycles = 1;
    lsu.return_register_cycles = 1;
    lsu.store_wavefronts = 1;
    lsu.lines_per_wavefront = 0;
    lsu.subcore_wavefront_interval_cycles = 1;
    lsu.warp_wavefront_interval_cycles = 2;
    lsu.local_stores = LocalStores::write_through;
    return platform;
}

constexpr isa::ControlCode of_first{.stall = 2, .write_barrier = 5};
constexpr isa::ControlCode of_other{.stall = 1};
constexpr isa::ControlCode of_load{.stall = 1, .write_barrier = 0};

/// Waits for scoreboards, then runs on until stores are done.
Script wait_for(Script script, std::uint8_t scoreboards) {
    return script.add(fp32_add, {.stall = 15, .wait_mask = scoreboards}).add(fp32_add, {.stall = 15}, 40).exit();
}

/// Issue to the read of its registers.
std::uint64_t read_after(isa::Word128 access, const Payload& lanes) {
    const auto all = [&](std::uint8_t scoreboards) {
        Script script;
        script.add(access, {.stall = 2, .read_barrier = 1}, 1, lanes);
        return cycles(measured_platform(), wait_for(script, scoreboards));
    };
    return all(2) - all(0) + 2;
}

/// Issue to result of a load of what L1 has, behind so many accesses, of which each takes a cycle to issue.
std::uint64_t result_after(isa::Word128 load, const Payload& lanes, isa::Word128 before = {}, std::uint32_t times = 0,
                           const Payload& before_lanes = {}) {
    const auto all = [&](std::uint8_t scoreboards) {
        Script script;
        script.add(load, of_first, 1, lanes);
        script.add(fp32_add, {.stall = 15, .wait_mask = 32});
        script.add(before, of_other, times, before_lanes);
        script.add(load, of_load, 1, lanes);
        return cycles(measured_platform(), wait_for(script, scoreboards));
    };
    return all(1) - all(0) + 1;
}

}  // namespace

TEST_CASE("an access lets go of its registers by how many they are") {
    CHECK(read_after(lds, lanes_at(0, 4)) == 8);
    CHECK(read_after(ldl, lanes_at(0, 0)) == 8);
    CHECK(read_after(ldg, lanes_at(1 << 20, 4)) == 10);
    CHECK(read_after(sts_of_one, lanes_at(0, 4)) == 11);
    CHECK(read_after(stl, lanes_at(0, 0)) == 11);
    CHECK(read_after(stg, lanes_at(1 << 20, 4)) == 13);
    CHECK(read_after(sts_128, lanes_at(0, 16)) == 17);
    CHECK(read_after(stg_128, lanes_at(1 << 20, 16)) == 19);
}

TEST_CASE("an address in one register comes two cycles sooner, and words of local memory follow one another") {
    CHECK(result_after(ldg, lanes_at(1 << 20, 4)) == 31);
    CHECK(result_after(ldl, lanes_at(0, 0)) == 29);
    CHECK(result_after(lds, lanes_at(0, 4)) == 23);
    CHECK(result_after(ldl_128, lanes_at(0, 0)) == 29 + 3);
}

TEST_CASE("a load waits until a store before it has sent its registers, and a cycle more") {
    const Payload words = lanes_at(0, 4);
    const Payload globals = lanes_at(1 << 20, 4);
    CHECK(result_after(lds, words, lds, 1, words) == 23 + 1);
    CHECK(result_after(lds, words, lds, 2, words) == 23 + 2);
    CHECK(result_after(lds, words, ldg, 1, globals) == 23 + 3);
    CHECK(result_after(lds, words, sts_of_one, 1, words) == 23 + 4);
    CHECK(result_after(lds, words, sts_of_one, 2, words) == 23 + 7);
    CHECK(result_after(lds, words, stg, 1, globals) == 23 + 6);
    CHECK(result_after(lds, words, stg, 2, globals) == 23 + 11);
    CHECK(result_after(lds, words, sts_128, 1, lanes_at(0, 16)) == 23 + 10);  // not measured: as its registers
    CHECK(result_after(ldl, lanes_at(0, 0), stl, 1, lanes_at(0, 0)) == 29 + 4);
    CHECK(result_after(ldl, lanes_at(0, 0), stl, 2, lanes_at(0, 0)) == 29 + 7);
    // Wavefronts of L1 are in the way of others of L1 only; but one of these finds its slot taken.
    CHECK(result_after(ldl, lanes_at(0, 0), stg_128, 1, lanes_at(1 << 20, 16)) == 29 + 18);
    CHECK(result_after(lds, lanes_at(0, 16), stg_128, 1, lanes_at(1 << 20, 16)) == 23 + 6 + 13);
}
