#include "sim/device/counted_run.hpp"

#include <utility>

#include "sim/access/launch_counters.hpp"
#include "sim/device/full_set/full_set.hpp"
#include "sim/device/functional_run.hpp"
#include "sim/device/kernel_metrics.hpp"

namespace sassafras::sim {

namespace {

class MetricCounting final : public RecordConsumer {
  public:
    explicit MetricCounting(LaunchCounters counters) : counters_(std::move(counters)), empty_(counters_) {}
    Result<void> take(BlockTrace& block) override {
        for (WarpTrace& trace : block.warps) counters_.drain(trace);
        return {};
    }
    [[nodiscard]] std::unique_ptr<RecordConsumer> make_helper() override {
        return std::make_unique<MetricCounting>(empty_);
    }
    void forget() override { counters_.forget(); }
    void absorb(const RecordConsumer& helper) override {
        counters_.merge(static_cast<const MetricCounting&>(helper).counters_);
    }
    [[nodiscard]] std::uint64_t warp_instructions() const override { return counters_.warp_instructions(); }
    [[nodiscard]] const LaunchCounters& counters() const { return counters_; }

  private:
    LaunchCounters counters_;
    LaunchCounters empty_;
};

}  // namespace

Result<std::vector<InstructionCounts>> count_instructions_of(TraceSource& source, const Launch& launch,
                                                             const Platform& platform, const ModelOptions& options,
                                                             WorkerPool* pool) {
    MetricCounting counting(LaunchCounters(source.program(), platform));
    if (auto done = run_functionally(source, launch, platform, options, long_turn, counting, pool); !done)
        return done.error();
    return counting.counters().counts();
}

Result<void> run_counted(TraceSource& source, const Launch& launch, const Platform& platform,
                         const ModelOptions& options, KernelResult& result) {
    auto counted = count_instructions_of(source, launch, platform, options);
    if (!counted) return counted.error();
    const std::vector<InstructionCounts>& counts = *counted;
    MetricCounts events;
    count_instructions(events, source.program(), counts, (launch.block.volume() + warp_size - 1) / warp_size);
    add_counts(result.metrics, events, KnownBy::execution);
    if (options.full_metrics) put_full_set(result.metrics, {source.program(), launch, counts, platform, 0, {}, {}});
    result.source = source_rows(source.program(), counts);
    return {};
}

}  // namespace sassafras::sim
