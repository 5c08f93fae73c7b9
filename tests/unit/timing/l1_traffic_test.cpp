// What an SM's memory unit counts of its stages for Nsight Compute's share of L1 (TimingResult::l1_traffic).
#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

constexpr isa::ControlCode writes_0{.stall = 1, .write_barrier = 0};
constexpr std::uint64_t place = 1 << 20;

L1Traffic traffic_of(const Platform& platform, Script script) { return simulate(platform, script.exit(1)).l1_traffic; }

}  // namespace

TEST_CASE("of a line that lanes read together L1 has one wavefront and one request, however often it is read") {
    const Platform platform = bare_platform();
    const isa::ControlCode waits{.stall = 1, .write_barrier = 0, .wait_mask = 1};
    Script script = Script().add(ldg, writes_0, 1, lanes_at(place, 4));
    CHECK(traffic_of(platform, script).wavefronts == 1);
    CHECK(traffic_of(platform, script).line_requests == 1);
    script.add(ldg, waits, 3, lanes_at(place, 4));
    CHECK(traffic_of(platform, script).wavefronts == 4);
    CHECK(traffic_of(platform, script).line_requests == 1);
}

TEST_CASE("of scattered lanes L1 has the conflicts of their words as wavefronts, and asks for each line") {
    Platform platform = bare_platform();
    platform.lsu.lines_per_wavefront = 0;  // words conflict as in shared memory, whatever lines they are of
    const auto loads_of_stride = [&](std::uint64_t bytes) {
        return traffic_of(platform, Script().add(ldg, writes_0, 1, lanes_at(place, bytes)));
    };
    CHECK(loads_of_stride(128).wavefronts == 32);  // all in one bank
    CHECK(loads_of_stride(132).wavefronts == 1);   // each in its own
    CHECK(loads_of_stride(128).line_requests == 32);
    CHECK(loads_of_stride(8).line_requests == 2);
}

TEST_CASE("accesses of no lane and of shared memory are no wavefronts of L1") {
    const Platform platform = bare_platform();
    CHECK(traffic_of(platform, Script().add(ldg, writes_0, 1, lanes_at(place, 4, 0))).wavefronts == 0);
    CHECK(traffic_of(platform, Script().add(lds, writes_0, 1, lanes_at(0, 128))).wavefronts == 0);
}

TEST_CASE("what is stored takes the way to L2 for the cycles of its bytes") {
    Platform platform = bare_platform();
    platform.lsu.store_bytes_per_cycle = 32;
    const auto stores_of_stride = [&](std::uint64_t bytes) {
        return simulate(platform, Script().add(stg, {.stall = 1}, 1, lanes_at(place, bytes)).exit()).l1_traffic;
    };
    CHECK(stores_of_stride(4).store_cycles == 4);
    CHECK(stores_of_stride(4).wavefronts == (platform.lsu.store_wavefronts == 0 ? 0 : 1));
    CHECK(stores_of_stride(4).line_requests == 0);
    CHECK(stores_of_stride(128).store_cycles >= 32);
}
