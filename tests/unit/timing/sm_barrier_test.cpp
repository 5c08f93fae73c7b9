// Barriers and the end of blocks.
#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {
constexpr std::uint32_t work = 100;  ///< instructions of four cycles before the barrier
Script late_barrier() {
    return Script().add(fp32_add, {.stall = 4}, work).add(bar_sync, {.stall = 1}, 1, whole_block_barrier()).exit();
}
}  // namespace

TEST_CASE("a barrier lets all go once the last has come") {
    const Platform platform = bare_platform();
    const std::uint64_t release = platform.sm.barrier_arrival_interval_cycles + platform.sm.barrier_latency_cycles;
    // Three of four warps come at once, one after 100 instructions; each is alone on its sub-core.
    const TimingResult result =
        simulate(platform, late_barrier(), 4, 1, [](std::uint32_t warp) { return warp == 2 ? 0U : work; });
    CHECK(result.cycles.count - empty_cycles(platform) == 4 * work + release);
    const auto& waits = result.stalls[work + 1];
    CHECK(waits[static_cast<std::size_t>(Stall::barrier)] >= 3 * 4 * work);
}

TEST_CASE("arrivals are taken one after the other") {
    const Platform platform = bare_platform();
    const Script script = Script().add(bar_sync, {.stall = 1}, 1, whole_block_barrier()).exit();
    const auto extra = [&](std::uint32_t warps) {
        return cycles(platform, script, warps) - empty_cycles(platform, warps);
    };
    const std::uint64_t interval = platform.sm.barrier_arrival_interval_cycles;
    CHECK(extra(4) == 4 * interval + platform.sm.barrier_latency_cycles);
    CHECK(extra(32) - extra(4) >= 26 * interval);
}

TEST_CASE("the stall count of a barrier that does not defer begins when it lets go") {
    const Platform platform = bare_platform();
    const auto extra = [&](std::uint8_t stall) {
        return cycles(platform, Script().add(bar_sync_at, {.stall = stall}, 1, whole_block_barrier()).exit(), 4) -
               empty_cycles(platform, 4);
    };
    const std::uint64_t released = 4 * platform.sm.barrier_arrival_interval_cycles + platform.sm.barrier_latency_cycles;
    for (const int stall : {1, 2, 5, 8, 15})
        CHECK(extra(static_cast<std::uint8_t>(stall)) == released + static_cast<std::uint64_t>(stall));
}

TEST_CASE("warps that have exited are not waited for") {
    const Platform platform = bare_platform();
    const Script script = late_barrier();
    // Warp 3 exits at once; the other three meet without it.
    const TimingResult result =
        simulate(platform, script, 4, 1, [](std::uint32_t warp) { return warp == 3 ? work + 1 : 0U; });
    CHECK(result.cycles.count - empty_cycles(platform) <=
          4 * work + 4 * platform.sm.barrier_arrival_interval_cycles + platform.sm.barrier_latency_cycles + 2);
}

TEST_CASE("a block that exits while others wait at the barrier releases them") {
    const Platform platform = bare_platform();
    // Warp 0 works and exits without a barrier of its own: the script's barrier comes before the work.
    Script script =
        Script().add(bar_sync_at, {.stall = 1}, 1, whole_block_barrier()).add(fp32_add, {.stall = 4}, work).exit();
    const TimingResult result =
        simulate(platform, script, 2, 1, [](std::uint32_t warp) { return warp == 0 ? 1U : 0U; });
    // Warp 1 can go on only when warp 0 is gone, and has its own work still to do.
    CHECK(result.cycles.count - empty_cycles(platform) >= 8 * work);
}

TEST_CASE("behind a barrier that defers, a warp goes on to the next access") {
    const Platform platform = bare_platform();
    const auto at_word = [](WarpTrace& trace, std::uint32_t) { lanes_at(0, 4)(trace, 0); };
    // Warp 1 comes to the barrier at once, warp 0 after `work`; behind it warp 1 has so much arithmetic before and
    // after a load, warp 0 none.
    const auto longest = [&](isa::Word128 barrier, std::uint32_t before, std::uint32_t after) {
        Script script = Script()
                            .add(fp32_add, {.stall = 4}, work)
                            .add(barrier, {.stall = 1}, 1, whole_block_barrier())
                            .add(fp32_add, {.stall = 4}, before)
                            .add(lds, {.stall = 2}, 1, at_word)
                            .add(fp32_add, {.stall = 4}, after)
                            .exit();
        return simulate(platform, script, 2, 1, [](std::uint32_t warp) { return warp == 1 ? work : 0U; });
    };
    const auto barrier_stalls = [](const TimingResult& result) {
        std::uint64_t sum = 0;
        for (const auto& row : result.stalls) sum += row[static_cast<std::size_t>(Stall::barrier)];
        return sum;
    };
    // All of what warp 1 does before its load it does while warp 0 still works.
    CHECK(barrier_stalls(longest(bar_sync, work, 0)) < 20);
    CHECK(barrier_stalls(longest(bar_sync, work / 2, 0)) == Approx(4 * work / 2).margin(20));
    CHECK(barrier_stalls(longest(bar_sync, 0, work)) == Approx(4 * work).margin(20));
    CHECK(barrier_stalls(longest(bar_sync_at, work, 0)) == Approx(4 * work).margin(20));
    CHECK(barrier_stalls(longest(bar_red, work, 0)) == Approx(4 * work).margin(20));  // its result is read behind it
}

TEST_CASE("a second barrier waits for the first") {
    const Platform platform = bare_platform();
    const Script script = Script()
                              .add(fp32_add, {.stall = 4}, 2 * work)
                              .add(bar_sync, {.stall = 1}, 1, whole_block_barrier())
                              .add(fp32_add, {.stall = 4}, work)
                              .add(bar_sync, {.stall = 1}, 1, whole_block_barrier())
                              .exit();
    // Warp 1 begins at the first barrier and has come to the second when warp 0 is half way to the first.
    const TimingResult result =
        simulate(platform, script, 2, 1, [](std::uint32_t warp) { return warp == 1 ? 2 * work : 0U; });
    const auto& at_second = result.stalls[3 * work + 1];
    CHECK(at_second[static_cast<std::size_t>(Stall::barrier)] == Approx(4 * work).margin(20));
}

TEST_CASE("blocks beyond what fits run one after the other; a block that cannot fit is refused") {
    Platform platform = bare_platform();
    platform.sm.max_blocks = 2;
    const Script script = Script().add(fp32_add, {.stall = 4}, 1000).exit();
    const std::uint64_t two = simulate(platform, script, 1, 2).cycles.count;
    const std::uint64_t four = simulate(platform, script, 1, 4).cycles.count;
    const std::uint64_t five = simulate(platform, script, 1, 5).cycles.count;
    CHECK(four - two >= 4000 + platform.gpu.block_start_latency_cycles);
    CHECK(five - four >= 4000);

    platform.sm.max_warps = 8;
    ScriptedSource source(script, 1, 16);
    TimingGpu gpu(platform);
    const auto refused = gpu.simulate(source, {});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::bad_input);
}

TEST_CASE("a barrier that one warp never reaches is an error, not a hang") {
    const Platform platform = bare_platform();
    const Script script =
        Script()
            .add(bar_sync, {.stall = 1}, 1, [](WarpTrace& trace, std::uint32_t) { trace.push_value(0 | 96U << 8U); })
            .exit();
    ScriptedSource source(script, 1, 2);  // two warps, three expected
    TimingGpu gpu(platform);
    const auto stuck = gpu.simulate(source, {});
    REQUIRE_FALSE(stuck.ok());
    CHECK(stuck.error().message().find("barrier") != std::string::npos);
}
