#include "sim/device/timed_run.hpp"

#include "sim/device/kernel_metrics.hpp"
#include "sim/device/utilisation.hpp"
#include "sim/execute/affordable_space.hpp"

namespace sassafras::sim {

namespace {

/// What the events of a launch and the platform say.
MetricSet metrics_of(const TimingResult& timing, const isa::Program& program, const Platform& platform) {
    MetricCounts events = timing.events;
    count_instructions(events, program, timing.instructions);
    events["sm__cycles_elapsed.max"_metric] = timing.cycles.count;
    events["smsp__inst_issued.sum"_metric] = events["smsp__inst_executed.sum"_metric];
    events["device__attribute_multiprocessor_count"_metric] = platform.gpu.sm_count;
    events["device__attribute_max_warps_per_multiprocessor"_metric] = platform.sm.max_warps;
    events["sm__maximum_warps_avg_per_active_cycle"_metric] =
        std::uint64_t{timing.occupancy.blocks} * timing.occupancy.warps_per_block;
    events["sm__warps_active.sum.peak_sustained_active"_metric] =
        events["sm__cycles_active.sum"_metric] * platform.sm.max_warps;
    for (const StallCycles& instruction : timing.stalls)
        for (std::size_t reason = 0; reason < stall_count; ++reason)
            events[stall_cycles(static_cast<Stall>(reason))] += instruction[reason];
    MetricSet metrics;
    add_counts(metrics, events, KnownBy::timing);
    metrics.put("gpu__time_duration.sum"_metric, timing.nanoseconds);
    put_utilisation(metrics, program, timing, platform);
    metrics.add_ratios();
    return metrics;
}

}  // namespace

Result<void> run_timed(TimingGpu& gpu, TraceSource& source, const Launch& launch, const Platform& platform,
                       const ModelOptions& options, double nanoseconds_begin, KernelResult& result) {
    const std::uint64_t blocks = launch.grid.volume();
    TimingOptions timing_options{affordable_threads(options.threads), nanoseconds_begin, options.cold_caches, {}};
    if (options.progress)
        timing_options.progress = [&](std::uint64_t blocks_done, Cycle cycles) {
            options.progress({.kernel = launch.kernel, .blocks_done = blocks_done, .blocks = blocks, .cycles = cycles});
        };
    auto timing = gpu.simulate(source, timing_options);
    if (!timing) return timing.error();
    result.metrics = metrics_of(*timing, source.program(), platform);
    result.source = source_rows(source.program(), timing->instructions);
    for (std::size_t i = 0; i < result.source.size() && i < timing->stalls.size(); ++i)
        result.source[i].stalls = timing->stalls[i];
    return {};
}

}  // namespace sassafras::sim
