#include "sim/device/timed_run.hpp"

#include <cmath>
#include <utility>

#include "sim/device/counted_run.hpp"
#include "sim/device/full_set/full_set.hpp"
#include "sim/device/kernel_metrics.hpp"
#include "sim/device/launch_check.hpp"
#include "sim/device/launch_traffic.hpp"
#include "sim/device/sampling/launch_estimate.hpp"
#include "sim/device/sampling/untimed_blocks.hpp"
#include "sim/device/sampling/wave_estimate.hpp"
#include "sim/device/sampling/window_choice.hpp"
#include "sim/device/utilisation.hpp"
#include "sim/execute/affordable_space.hpp"
#include "sim/timing/timing_op.hpp"
#include "sim/what_if/rewritten_source.hpp"

namespace sassafras::sim {

namespace {

/// Where error correction takes a share of the bandwidth, its bits lie in the same memory as the data: they are moved
/// beside it, and counted with it. (Inferred: Gehrke 2015 counts more bytes of DRAM than of L2 on a C2050, tables 6.5
/// to 6.10, and as many as L2's misses and writes on a GTX 960, which has none.)
void count_error_correction(MetricCounts& events, const Platform& platform) {
    for (const MetricId bytes : {"dram__bytes_read.sum"_metric, "dram__bytes_write.sum"_metric})
        events[bytes] = static_cast<std::uint64_t>(
            std::llround(static_cast<double>(events[bytes]) / platform.dram.ecc_bandwidth_share));
}

/// To this share the cycles an instruction of launches that are alike are to be known, if nobody says otherwise.
constexpr double launches_known_to = 0.02;

EndedLaunch ended_launch(const isa::Program& program, const Launch& launch, const TimingResult& timing,
                         const Platform& platform) {
    return {program,           launch,           timing.instructions, platform, timing.subcores.active,
            timing.l1_traffic, timing.l2_traffic};
}

/// What the events of a launch and the platform say.
MetricSet metrics_of(const TimingResult& timing, const EndedLaunch& ended, LaunchesBefore before, bool full) {
    const isa::Program& program = ended.program;
    const Platform& platform = ended.platform;
    MetricCounts events = timing.events;
    count_instructions(events, program, timing.instructions, timing.occupancy.warps_per_block);
    events["sm__cycles_elapsed.max"_metric] = timing.cycles.count;
    count_launch_traffic(events, program, platform, before, timing.far_code);
    count_error_correction(events, platform);
    events["smsp__inst_issued.sum"_metric] += events["smsp__inst_executed.sum"_metric];  // has those issued again
    if (platform.sm.dependence_tracking == DependenceTracking::scoreboard)
        for (const InstructionCounts& instruction : timing.instructions)
            events["smsp__inst_issued.sum"_metric] += instruction.replays;
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
    if (full) put_full_set(metrics, ended);
    return metrics;
}

void put_source(const isa::Program& program, const TimingResult& timing, KernelResult& result) {
    result.source = source_rows(program, timing.instructions);
    for (std::size_t i = 0; i < result.source.size() && i < timing.stalls.size(); ++i)
        result.source[i].stalls = timing.stalls[i];
}

Result<void> without_value(const Result<TimingResult>& timing) { return timing ? Result<void>() : timing.error(); }

Platform changed(Platform platform, const WhatIf* what_if) {
    if (what_if != nullptr && what_if->change != nullptr) what_if->change(platform);
    return platform;
}

std::vector<std::uint16_t> latencies_of(const isa::Program& program, const Platform& platform) {
    std::vector<std::uint16_t> latencies;
    for (const TimingOp& op : timing_ops(program, platform)) latencies.push_back(op.latency);
    return latencies;
}

/// Rows of the program that the user knows: what was not issued has none but its place.
std::vector<SourceRow> rows_of_whole(const isa::Program& program, const ShortenedProgram& shortened,
                                     const std::vector<SourceRow>& rows) {
    std::vector<SourceRow> whole(program.instructions.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const std::uint32_t at = shortened.kept_before[i];
        if (shortened.kept_before[i + 1] != at) whole[i] = rows[at];
        whole[i].pc = i * isa::instruction_bytes;
        whole[i].instruction = program.instructions[i];
    }
    return whole;
}

}  // namespace

TimedRun::TimedRun(const Platform& platform, ModelOptions options)
    : given_(platform),
      platform_(changed(platform, options.what_if)),
      options_(std::move(options)),
      history_(options_.narrow.value_or(launches_known_to), options_.cold_caches && !options_.new_process),
      gpu_(platform_),
      rewriter_(options_.what_if != nullptr && options_.what_if->make_rewriter != nullptr
                    ? options_.what_if->make_rewriter(platform_)
                    : nullptr) {}

void TimedRun::bring_copies(std::span<const CopiedRange> copied) {
    if (options_.cold_caches) return;
    for (const CopiedRange& range : copied) gpu_.copy_in(range.address, range.bytes);
}

TimingOptions TimedRun::timing_options(const Launch& launch, double nanoseconds_begin) const {
    TimingOptions options{
        prepare_threads(options_.threads), nullptr, nanoseconds_begin, options_.cold_caches, {}, {}, false, {}, {}};
    options.dealt_from = launch.dealt_from;
    options.profile = {options_.profile_interval, keeps_block_times_ ? options_.most_blocks : 0};
    if (options_.progress)
        options.progress = [&launch, this](std::uint64_t blocks_done, Cycle cycles) {
            options_.progress({.kernel = launch.kernel,
                               .blocks_done = blocks_done,
                               .blocks = launch.grid.volume(),
                               .cycles = cycles});
        };
    return options;
}

Result<void> TimedRun::run(TraceSource& source, const Launch& launch, std::span<const CopiedRange> copied,
                           double nanoseconds_begin, KernelResult& result) {
    bring_copies(copied);
    TimingOptions timing = timing_options(launch, nanoseconds_begin);
    if (options_.what_if == nullptr) return without_value(time(source, launch, timing, result));
    timing.l1_bytes = occupancy(resources_of(source.program().kernel, launch), given_).l1_bytes;
    timing.l2_keeps_all = options_.what_if->l2_keeps_all;
    RewrittenSource rewritten(source, *options_.what_if, rewriter_.get(),
                              [&](const isa::Program& program) { return latencies_of(program, platform_); });
    auto done = time(rewritten, launch, timing, result);
    if (!done) return done.error();
    if (rewritten.shortened() != nullptr)
        result.source = rows_of_whole(source.program(), *rewritten.shortened(), result.source);
    return {};
}

Result<void> TimedRun::run_sampled(TraceSource& source, const Launch& launch, std::span<const CopiedRange> copied,
                                   double nanoseconds_begin, KernelResult& result) {
    if (options_.what_if != nullptr || depends_on_time(source.program()))
        return run(source, launch, copied, nanoseconds_begin, result);
    bring_copies(copied);
    const LaunchKind kind = LaunchKind::of(launch, source.program());
    if (!history_.wants_time(kind)) return estimate_by_others(source, launch, kind, result);
    auto timing = run_waves(source, launch, nanoseconds_begin, !history_.knows(kind), result);
    if (!timing) return timing.error();
    history_.add(kind, std::move(*timing));
    return {};
}

Result<TimingResult> TimedRun::run_waves(TraceSource& source, const Launch& launch, double nanoseconds_begin,
                                         bool is_first, KernelResult& result) {
    constexpr std::uint64_t seed = 1;
    const isa::Program& program = source.program();
    const std::uint64_t wave =
        std::uint64_t{platform_.gpu.sm_count} * occupancy(resources_of(program.kernel, launch), platform_).blocks;
    const std::uint64_t blocks = launch.grid.volume();
    auto choice = source.depends_on_order() || blocks > UINT32_MAX
                      ? std::nullopt
                      : WindowChoice::of(blocks, wave, options_.narrow, seed, is_first);
    if (!choice) return time(source, launch, timing_options(launch, nanoseconds_begin), result);
    WorkerPool pool(prepare_threads(options_.threads));
    ModelOptions options = options_;
    UntimedBlocks others(source, launch, platform_, options, pool);
    std::uint64_t ended = 0;  // of the timed blocks, at the pause
    if (options.progress)
        options.progress = [&](LaunchProgress progress) {
            progress.blocks_done += ended + others.blocks();
            progress.blocks = blocks;
            options_.progress(progress);
        };
    UntimedInstructions untimed;
    TimingOptions timing = timing_options(launch, nanoseconds_begin);
    timing.profile = {};
    timing.pool = &pool;
    timing.pauses.first = choice->first_pause();
    timing.pauses.at = [&](const TimingPause& pause) -> Result<AfterPause> {
        AfterPause after = choice->next(pause.marks);
        const BlockRange left_out{pause.block, after.next_block - pause.block};
        ended = pause.block - others.blocks() - wave;
        const std::uint64_t before = others.warp_instructions();
        if (auto done =
                others.execute(left_out, remembered_blocks(pause, ended, left_out.count, platform_), pause.leave);
            !done)
            return done.error();
        untimed.push_back(others.warp_instructions() - before);
        return after;
    };
    auto timed = gpu_.simulate(source, timing);
    if (!timed) return timed.error();
    const LaunchesBefore before = note_launch(source, *timed);

    std::vector<InstructionCounts> counts = others.counts();
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i].add(timed->instructions[i]);
    const auto metrics = [&](const TimingResult& one) {
        return metrics_of(one, ended_launch(program, launch, one, platform_), before, options_.full_metrics);
    };
    TimingResult all = put_estimates(*timed, untimed, counts, platform_.gpu.sm_count, metrics, result);
    put_source(program, all, result);
    return all;
}

Result<void> TimedRun::estimate_by_others(TraceSource& source, const Launch& launch, const LaunchKind& kind,
                                          KernelResult& result) {
    const isa::Program& program = source.program();
    auto counts = count_instructions_of(source, launch, platform_, options_);
    if (!counts) return counts.error();
    const LaunchesBefore before = launches_before(program.kernel.name);
    const TimedLaunches timed = history_.executed(kind, *counts);
    const auto metrics = [&](const TimingResult& one) {
        return metrics_of(one, ended_launch(program, launch, one, platform_), before, options_.full_metrics);
    };
    put_source(program, put_launch_estimates(timed, *counts, metrics, result), result);
    return {};
}

LaunchesBefore TimedRun::note_launch(const TraceSource& source, TimingResult& timing) {
    if (options_.new_process && launched_.empty()) {
        timing.cycles = Cycle{timing.cycles.count + platform_.gpu.first_launch_cycles};
        timing.nanoseconds += platform_.gpu.first_launch_cycles * 1000.0 / platform_.clock.sm_mhz;
    }
    return launches_before(source.program().kernel.name);
}

LaunchesBefore TimedRun::launches_before(const std::string& kernel) {
    LaunchesBefore before;
    if (!options_.cold_caches) before = {.any = !launched_.empty(), .of_kernel = launched_.contains(kernel)};
    launched_.insert(kernel);
    return before;
}

Result<TimingResult> TimedRun::time(TraceSource& source, const Launch& launch, const TimingOptions& timing_options,
                                    KernelResult& result) {
    auto timing = gpu_.simulate(source, timing_options);
    if (!timing) return timing.error();
    const LaunchesBefore before = note_launch(source, *timing);
    result.metrics =
        metrics_of(*timing, ended_launch(source.program(), launch, *timing, platform_), before, options_.full_metrics);
    put_source(source.program(), *timing, result);
    result.profile = std::move(timing->profile);
    result.course =
        LaunchCourse{timing->tail, timing->l1_traffic, timing->l2_traffic, timing->answers, timing->subcores.xu_waits};
    return timing;
}

}  // namespace sassafras::sim
