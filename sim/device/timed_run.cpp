#include "sim/device/timed_run.hpp"

#include <utility>

#include "sim/device/kernel_metrics.hpp"

namespace sassafras::sim {

namespace {

double number(std::uint64_t value) { return static_cast<double>(value); }
double ratio(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 0 : number(part) / number(whole); }

/// Nsight Compute's names, in the order in which they are printed.
std::vector<std::pair<std::string, double>> metrics_of(const TimingResult& timing, const isa::Program& program,
                                                       const Platform& platform) {
    std::vector<std::pair<std::string, double>> metrics{
        {"sm__cycles_elapsed.max", number(timing.cycles.count)},
        {"gpu__time_duration.sum", timing.nanoseconds},
        {"sm__cycles_active.avg", ratio(timing.sm.active_cycles, platform.gpu.sm_count)}};
    for (auto& counted : counted_metrics(program, timing.instructions)) metrics.push_back(std::move(counted));
    // A sub-core issues at most one instruction a cycle.
    const std::uint64_t issue_slots = timing.sm.active_cycles;
    const auto percent = [](double share) { return 100 * share; };
    metrics.insert(
        metrics.end(),
        {{"sm__inst_executed.avg.per_cycle_active", ratio(timing.warp_instructions, issue_slots)},
         {"sm__warps_active.avg.pct_of_peak_sustained_active",
          percent(ratio(timing.sm.warp_cycles, timing.sm.active_cycles * platform.sm.max_warps))},
         {"sm__maximum_warps_per_active_cycle_pct",
          percent(
              ratio(std::uint64_t{timing.occupancy.blocks} * timing.occupancy.warps_per_block, platform.sm.max_warps))},
         {"l1tex__t_sector_hit_rate.pct",
          percent(ratio(timing.sm.l1_load_hit_sectors, timing.sm.l1_load_sectors + timing.sm.l1_store_sectors))},
         {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", number(timing.sm.l1_load_requests)},
         {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", number(timing.sm.l1_store_requests)},
         {"lts__t_sectors_op_read.sum", number(timing.memory.l2_read_sectors)},
         {"lts__t_sectors_op_write.sum", number(timing.memory.l2_write_sectors)},
         {"lts__t_sectors_op_atom.sum", number(timing.memory.l2_atomic_sectors)},
         {"lts__t_sector_op_read_hit_rate.pct",
          percent(ratio(timing.memory.l2_read_hit_sectors, timing.memory.l2_read_sectors))},
         {"dram__bytes_read.sum", number(timing.memory.dram_read_bytes)},
         {"dram__bytes_write.sum", number(timing.memory.dram_write_bytes)}});
    std::array<std::uint64_t, stall_count> stalls{};
    for (const auto& instruction : timing.stalls)
        for (std::size_t reason = 0; reason < stall_count; ++reason) stalls[reason] += instruction[reason];
    // Nsight Compute's ratio: warps in this state, per instruction issued.
    for (std::size_t reason = 0; reason < stall_count; ++reason)
        metrics.emplace_back(
            "smsp__average_warps_issue_stalled_" + std::string(stall_names[reason]) + "_per_issue_active.ratio",
            ratio(stalls[reason], timing.warp_instructions));
    return metrics;
}

}  // namespace

Result<void> run_timed(TimingGpu& gpu, TraceSource& source, const Launch& launch, const Platform& platform,
                       const ModelOptions& options, double nanoseconds_begin, KernelResult& result) {
    const std::uint64_t blocks = launch.grid.volume();
    TimingOptions timing_options{options.threads, nanoseconds_begin, options.cold_caches, {}};
    if (options.progress)
        timing_options.progress = [&](std::uint64_t blocks_done, Cycle cycles) {
            options.progress({.kernel = launch.kernel, .blocks_done = blocks_done, .blocks = blocks, .cycles = cycles});
        };
    auto timing = gpu.simulate(source, timing_options);
    if (!timing) return timing.error();
    result.metrics = metrics_of(*timing, source.program(), platform);
    result.source = source_rows(source.program(), timing->instructions);
    for (std::size_t i = 0; i < result.source.size() && i < timing->stalls.size(); ++i)
        for (std::size_t reason = 0; reason < stall_count; ++reason)
            if (timing->stalls[i][reason] != 0)
                result.source[i].stalls.emplace_back("stall_" + std::string(stall_names[reason]),
                                                     timing->stalls[i][reason]);
    return {};
}

}  // namespace sassafras::sim
