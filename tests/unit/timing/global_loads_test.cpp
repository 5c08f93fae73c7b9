// Whether L1 keeps what is loaded from global memory.
#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

/// Cycles that the second of two loads of one line adds.
std::uint64_t second_load(const Platform& platform) {
    const isa::ControlCode waits{.stall = 1, .write_barrier = 0, .wait_mask = 1};
    const auto loads = [&](std::uint32_t times) {
        return cycles(platform, Script().add(ldg, waits, times, lanes_at(4096, 4)).exit(1));
    };
    return loads(2) - loads(1);
}

}  // namespace

TEST_CASE("a line loaded twice comes from L1, or from L2 where L1 leaves out global loads") {
    Platform platform = bare_platform();
    platform.lsu.l1_hit_latency_cycles = 31;
    platform.l2.hit_latency_cycles = 200;
    CHECK(second_load(platform) < 40);
    platform.lsu.l1_global_loads = L1GlobalLoads::bypassed;
    CHECK(second_load(platform) >= 200);
    CHECK(second_load(platform) < 210);
}

TEST_CASE("sub-cores need not divide the warps of an SM") {
    Platform platform = bare_platform();
    platform.sm.subcores = 6;
    platform.sm.max_warps = 64;
    constexpr std::uint32_t length = 200;
    const Script script = Script().add(fp32_add, {.stall = 1}, length).exit();
    platform.sm.register_bank_ports = 3;
    const auto extra = [&](std::uint32_t warps) { return cycles(platform, script, warps) - empty_cycles(platform); };
    // Six warps issue side by side, the seventh shares a sub-core, and 25 leave one of six with five.
    CHECK(extra(6) == length);
    CHECK(extra(7) == Approx(2 * length).epsilon(0.02));
    CHECK(extra(25) == Approx(5 * length).epsilon(0.02));
}
