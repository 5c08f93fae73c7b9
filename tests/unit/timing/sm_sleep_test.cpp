// NANOSLEEP: who sleeps goes on when the sleep ends, and what follows is executed then, not before. Lanes of a warp
// that do not sleep go on.
#include "scenario.hpp"

#include <algorithm>

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

constexpr isa::Word128 nanosleep_word{0x000000640000795d, 0x03800000};  ///< NANOSLEEP 0x64
constexpr isa::Word128 clock_read{0x0000000000027805, 0x00015000};      ///< CS2R R2, SR_CLOCKLO

/// Each warp sleeps as often and as long as `sleeps` says, then exits. Notes who is executed behind a sleep, in order.
class Sleepers final : public TraceSource {
  public:
    Sleepers(std::vector<std::vector<std::uint64_t>> sleeps, bool reads_clock) : sleeps_(std::move(sleeps)) {
        program_.instructions.push_back(instruction(nanosleep_word, {.stall = 1}));
        program_.instructions.push_back(instruction(exit_word, {.stall = 5}));
        // Never reached: it is there for the kernel to be one that reads clocks.
        if (reads_clock) program_.instructions.push_back(instruction(clock_read, {.stall = 1}));
        shape_ = {.grid = {1, 1, 1},
                  .block = {static_cast<std::uint32_t>(sleeps_.size()) * warp_size, 1, 1},
                  .dynamic_shared = {}};
    }

    [[nodiscard]] const isa::Program& program() const override { return program_; }
    [[nodiscard]] const LaunchShape& shape() const override { return shape_; }
    Result<BlockTrace*> start(std::uint64_t) override {
        block_.warps.resize(sleeps_.size());
        taken_.resize(sleeps_.size());
        return &block_;
    }
    Result<void> advance(BlockTrace& block, std::uint64_t) override {
        for (std::uint32_t warp = 0; warp < block.warps.size(); ++warp) {
            WarpTrace& trace = block.warps[warp];
            if (trace.state != WarpTrace::State::running) continue;
            if (taken_[warp] != 0) woken.push_back(warp);
            if (taken_[warp] == sleeps_[warp].size()) {
                trace.push_segment({.first = 1, .count = 1, .mask = full_mask});
                trace.state = WarpTrace::State::exited;
            } else {
                trace.push_segment({.first = 0, .count = 1, .mask = full_mask});
                trace.push_value(sleeps_[warp][taken_[warp]++]);
                trace.state = WarpTrace::State::sleeping;
            }
        }
        return {};
    }
    void provide_clock(BlockTrace&, std::uint32_t, Cycle, std::uint64_t) override { FAIL("nobody reads the clock"); }
    void finish(BlockTrace&) override {}

    std::vector<std::uint32_t> woken;

  private:
    std::vector<std::vector<std::uint64_t>> sleeps_;
    std::vector<std::size_t> taken_;
    isa::Program program_;
    LaunchShape shape_;
    BlockTrace block_;
};

/// One warp's records, all there from the start, as a trace file gives them.
class FixedTrace final : public TraceSource {
  public:
    FixedTrace(const Script& script, const std::vector<Segment>& segments, const std::vector<std::uint64_t>& sleeps)
        : script_(script) {
        block_.warps.resize(1);
        for (const Segment& segment : segments) block_.warps[0].push_segment(segment);
        for (const std::uint64_t sleep : sleeps) block_.warps[0].push_value(sleep);
        block_.warps[0].state = WarpTrace::State::exited;
    }
    [[nodiscard]] const isa::Program& program() const override { return script_.program; }
    [[nodiscard]] const LaunchShape& shape() const override { return shape_; }
    Result<BlockTrace*> start(std::uint64_t) override { return &block_; }
    Result<void> advance(BlockTrace&, std::uint64_t) override { return {}; }
    void provide_clock(BlockTrace&, std::uint32_t, Cycle, std::uint64_t) override { FAIL("nobody reads the clock"); }
    void finish(BlockTrace&) override {}

  private:
    Script script_;
    LaunchShape shape_{.grid = {1, 1, 1}, .block = {warp_size, 1, 1}, .dynamic_shared = {}};
    BlockTrace block_;
};

TimingResult simulate(Sleepers& source, const Platform& platform, double nanoseconds_begin = 0) {
    TimingGpu gpu(platform);
    TimingOptions options;
    options.nanoseconds_begin = nanoseconds_begin;
    auto result = gpu.simulate(source, options);
    if (!result) FAIL(result.error().message());
    return *result;
}

std::uint64_t cycles_of(std::uint64_t nanoseconds, const Platform& platform) {
    return static_cast<std::uint64_t>(static_cast<double>(nanoseconds) * platform.clock.sm_mhz / 1000.0);
}

}  // namespace

TEST_CASE("short sleeps end while others sleep long") {
    const Platform platform = bare_platform();
    const bool reads_clock = GENERATE(false, true);
    // Warp 0 sleeps ten times within one sleep of warp 1, which ends before the second of warp 2.
    Sleepers source({std::vector<std::uint64_t>(10, 20), {100'000}, {10, 200'000}}, reads_clock);
    const TimingResult result = simulate(source, platform);
    std::vector<std::uint32_t> behind_first = source.woken;
    behind_first.erase(std::find(behind_first.begin(), behind_first.end(), 2U));
    std::vector<std::uint32_t> expected(10, 0);
    expected.insert(expected.end(), {1, 2});
    CHECK(behind_first == expected);
    // The longest sleep ends at the first multiple of 2^18 ns.
    const std::uint64_t expected_cycles = cycles_of(262'144, platform) + platform.sm.sleep_wake_cycles;
    CHECK(result.cycles.count >= expected_cycles);
    CHECK(result.cycles.count <= expected_cycles + 20);
}

TEST_CASE("a sleep ends when the timer comes to the next multiple of the power of two above its length") {
    const Platform platform = bare_platform();
    struct Sleep {
        std::uint64_t nanoseconds;
        double begin;
        std::uint64_t tick;  ///< nanoseconds after `begin`
    };
    // The warp lies down about 80 ns after the launch begins.
    for (const Sleep& sleep : {Sleep{1000, 0, 1024},
                               {1000, 900, 124},
                               {1000, 1000, 1048},
                               {1000, 1024, 1024},
                               {1023, 524, 500},
                               {1024, 0, 2048},
                               {1024, 1500, 548},
                               {2047, 5'000'000'000'000.0, 2048},
                               {1'000'000, 1, 1'048'575},
                               {3'000'000, 1, 1'048'575},
                               {64, 0, 128},
                               {100, 28, 100},
                               {127, 100, 156}}) {
        Sleepers source({{sleep.nanoseconds}}, true);
        const std::uint64_t end = simulate(source, platform, sleep.begin).cycles.count;
        const std::uint64_t expected = cycles_of(sleep.tick, platform) + platform.sm.sleep_wake_cycles;
        INFO(sleep.nanoseconds << " ns from " << sleep.begin);
        CHECK(end >= expected);
        CHECK(end <= expected + 20);
    }
}

TEST_CASE("the shortest sleep takes its least time, or to the next tick of the timer") {
    Platform platform = bare_platform();
    platform.clock.global_timer_step_ns = 4;
    platform.sm.sleep_least_cycles = 500;
    Sleepers source({{2}}, true);
    const std::uint64_t slept = simulate(source, platform).cycles.count - empty_cycles(platform);
    CHECK(slept >= 500);
    CHECK(slept <= 510);
}

TEST_CASE("sleeps of no length end") {
    const bool reads_clock = GENERATE(false, true);
    Sleepers source({std::vector<std::uint64_t>(100, 0), std::vector<std::uint64_t>(50, 1)}, reads_clock);
    const TimingResult result = simulate(source, bare_platform());
    CHECK(result.warp_instructions == 152);
    CHECK(source.woken.size() == 150);
}

TEST_CASE("lanes that do not sleep go on, and those that do wait for the warp's timer") {
    const Platform platform = bare_platform();
    constexpr std::uint32_t low = 0xffff;
    constexpr std::uint32_t high = 0xffff0000;
    // 0: NANOSLEEP, 1 to 10: FADD, 11: EXIT.
    const Script script = Script().add(nanosleep_word, {.stall = 1}).add(fp32_add, {.stall = 4}, 10).exit();
    const auto run = [&](const std::vector<Segment>& segments, const std::vector<std::uint64_t>& sleeps) {
        FixedTrace source(script, segments, sleeps);
        TimingGpu gpu(platform);
        auto result = gpu.simulate(source, {});
        if (!result) FAIL(result.error().message());
        return result->cycles.count;
    };
    const auto end_of = [&](std::uint64_t tick) { return cycles_of(tick, platform) + platform.sm.sleep_wake_cycles; };
    const std::uint64_t work = 10 * 4;
    // The upper half works while the lower one sleeps; the lower half's exit comes at the tick.
    const std::uint64_t beside = run({{0, 1, low}, {1, 10, high}, {11, 1, low}, {11, 1, high}}, {1000});
    CHECK(beside >= end_of(1024));
    CHECK(beside <= end_of(1024) + 10);
    // Its own work comes behind.
    const std::uint64_t behind = run({{0, 1, low}, {1, 10, low}, {11, 1, low}, {11, 1, high}}, {1000});
    CHECK(behind >= end_of(1024) + work);
    CHECK(behind <= end_of(1024) + work + 10);
    CHECK(run({{0, 11, low}, {11, 1, low}, {11, 1, high}}, {1000}) == behind);
    // One timer: the earlier end wakes both, in whichever order they lie down.
    for (const auto& sleeps : {std::vector<std::uint64_t>{1000, 100'000}, {100'000, 1000}}) {
        const std::uint64_t both = run({{0, 1, low}, {0, 1, high}, {11, 1, low}, {11, 1, high}}, sleeps);
        CHECK(both >= end_of(1024));
        CHECK(both <= end_of(1024) + 20);
    }
    // A sleep after the timer has gone off is a new one.
    const std::uint64_t again =
        run({{0, 1, low}, {1, 10, low}, {0, 1, high}, {11, 1, high}, {11, 1, low}}, {1000, 1000});
    CHECK(again >= end_of(2048));
    CHECK(again <= end_of(2048) + 20);
}

TEST_CASE("a kernel that sleeps for hours is a runaway") {
    // 83,887 sleeps of 2^20 ns are 2^43 cycles at this clock.
    Platform platform = bare_platform();
    platform.clock.sm_mhz = 100'000;
    Sleepers source({std::vector<std::uint64_t>(90'000, 1'000'000)}, false);
    TimingGpu gpu(platform);
    const auto result = gpu.simulate(source, {});
    REQUIRE(!result);
    CHECK(result.error().fault == FaultKind::runaway);
}

TEST_CASE("a sleep that no lane takes is no sleep") {
    const Platform platform = bare_platform();
    const Script script = Script()
                              .add(nanosleep_word, {.stall = 1}, 1,
                                   [](WarpTrace& trace, std::uint32_t) { trace.push_value(WarpTrace::predicated_off); })
                              .exit();
    CHECK(cycles(platform, script) - empty_cycles(platform) < 10);
}
