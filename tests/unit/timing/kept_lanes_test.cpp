// Which lanes of a diverged warp are at hand, and what it costs where they are not.
#include "sim/timing/sm/kept_lanes.hpp"

#include "scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

/// A warp that executes segments of one program, with the lanes that each says.
class Segments final : public TraceSource {
  public:
    Segments(const Script& script, std::vector<Segment> segments) : script_(script), segments_(std::move(segments)) {}

    [[nodiscard]] const isa::Program& program() const override { return script_.program; }
    [[nodiscard]] const LaunchShape& shape() const override { return shape_; }
    Result<BlockTrace*> start(std::uint64_t) override {
        block_.warps.resize(1);
        for (const Segment& segment : segments_) block_.warps[0].push_segment(segment);
        block_.warps[0].state = WarpTrace::State::exited;
        return &block_;
    }
    Result<void> advance(BlockTrace&, std::uint64_t) override { return {}; }
    void provide_clock(BlockTrace&, std::uint32_t, Cycle, std::uint64_t) override { FAIL("nobody reads the clock"); }
    void finish(BlockTrace&) override {}

  private:
    Script script_;
    std::vector<Segment> segments_;
    LaunchShape shape_{.grid = {1, 1, 1}, .block = {warp_size, 1, 1}, .dynamic_shared = {}};
    BlockTrace block_;
};

TimingResult run(const Platform& platform, const Script& script, const std::vector<Segment>& segments) {
    Segments source(script, segments);
    TimingGpu gpu(platform);
    auto result = gpu.simulate(source, {});
    if (!result) FAIL(result.error().message());
    return *result;
}

}  // namespace

TEST_CASE("a group that waits hands over to the larger part of the last split at no cost") {
    KeptLanes kept;
    CHECK_FALSE(kept.move(0, 0xff, false));     // begins
    CHECK_FALSE(kept.move(0xff, 0x0f, false));  // splits
    CHECK_FALSE(kept.move(0x0f, 0xf0, false));  // the other part
    CHECK_FALSE(kept.move(0xf0, 0xff, false));  // all meet
}

TEST_CASE("lanes from before the last split must be sought") {
    KeptLanes kept;
    kept.move(0, 0xff, false);
    kept.move(0xff, 0x0f, false);               // 0xf0 is kept
    kept.move(0x0f, 0x01, false);               // now 0x0e is, and 0xf0 no more
    CHECK_FALSE(kept.move(0x01, 0x0e, false));  // at hand
    CHECK(kept.move(0x0e, 0xf0, false));
    CHECK_FALSE(kept.move(0xf0, 0xff, false));
    CHECK_FALSE(kept.move(0xff, 0xf0, false));
    CHECK_FALSE(kept.move(0xf0, 0x0f, false));
}

TEST_CASE("where the second side splits nothing is lost") {
    KeptLanes kept;
    kept.move(0, 0xff, false);
    kept.move(0xff, 0x0f, false);
    CHECK_FALSE(kept.move(0x0f, 0xf0, false));
    CHECK_FALSE(kept.move(0xf0, 0x10, false));
    CHECK_FALSE(kept.move(0x10, 0xe0, false));
}

TEST_CASE("lanes that exit are no part that is kept") {
    KeptLanes kept;
    kept.move(0, 0xff, false);
    kept.move(0xff, 0x0f, false);
    CHECK_FALSE(kept.move(0x0f, 0x03, true));  // two have exited
    CHECK_FALSE(kept.move(0x03, 0xf0, true));
}

TEST_CASE("seeking lanes takes time, which is of the branch, and counts as an instruction issued again") {
    Platform platform = bare_platform();
    const Script script = Script().add(fp32_add, {.stall = 4}, 8).add(exit_word, {.stall = 5});
    const Segment end{.first = 8, .count = 1, .mask = 0xff};
    const auto part = [](std::uint32_t mask) { return Segment{.first = 0, .count = 4, .mask = mask}; };
    const std::vector<Segment> at_hand{part(0xff), part(0x0f), part(0xf0), part(0x10), part(0xe0), end};
    const std::vector<Segment> sought{part(0xff), part(0x0f), part(0x01), part(0x0e), part(0xf0), end};
    const TimingResult quick = run(platform, script, at_hand);
    const TimingResult before = run(platform, script, sought);
    CHECK(before.cycles == quick.cycles);
    platform.sm.lane_search_cycles = 33;
    CHECK(run(platform, script, at_hand).cycles == quick.cycles);
    const TimingResult result = run(platform, script, sought);
    CHECK(result.cycles.count == before.cycles.count + 33);
    CHECK(result.events["smsp__inst_issued.sum"_metric] == 1);
    CHECK(quick.events["smsp__inst_issued.sum"_metric] == 0);
    std::uint64_t branch = 0;
    std::uint64_t branch_before = 0;
    for (std::size_t i = 0; i < script.size(); ++i) {
        branch += result.stalls[i][static_cast<std::size_t>(Stall::branch_resolve)];
        branch_before += before.stalls[i][static_cast<std::size_t>(Stall::branch_resolve)];
    }
    CHECK(branch == branch_before + 33);
}
