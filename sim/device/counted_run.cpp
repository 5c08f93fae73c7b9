#include "sim/device/counted_run.hpp"

#include "sim/access/launch_counters.hpp"
#include "sim/device/functional_run.hpp"
#include "sim/device/kernel_metrics.hpp"

namespace sassafras::sim {

namespace {

class MetricCounting final : public RecordConsumer {
  public:
    explicit MetricCounting(LaunchCounters& counters) : counters_(counters) {}
    Result<void> take(BlockTrace& block) override {
        for (WarpTrace& trace : block.warps) counters_.drain(trace);
        return {};
    }
    [[nodiscard]] std::uint64_t warp_instructions() const override { return counters_.warp_instructions(); }

  private:
    LaunchCounters& counters_;
};

}  // namespace

Result<void> run_counted(TraceSource& source, const Launch& launch, const Platform& platform,
                         const ModelOptions& options, KernelResult& result) {
    LaunchCounters counters(source.program(), platform);
    MetricCounting counting(counters);
    if (auto done = run_functionally(source, launch, platform, options, long_turn, counting); !done) return done;
    const std::vector<InstructionCounts> counts = counters.counts();
    MetricCounts events;
    count_instructions(events, source.program(), counts, (launch.block.volume() + warp_size - 1) / warp_size);
    add_counts(result.metrics, events, KnownBy::execution);
    result.source = source_rows(source.program(), counts);
    return {};
}

}  // namespace sassafras::sim
