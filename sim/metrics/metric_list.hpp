// The one list of metrics. Counting, totals, the pages, JSON, CSV, units and docs/metrics.md come from it: a new metric
// is a row here, and an increment `counts["its name"_metric] += ...` where the event happens. Rows are in the order in
// which they are printed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/literal_text.hpp"
#include "sim/metrics/full_set_rows.hpp"
#include "sim/metrics/metric_row.hpp"
#include "sim/metrics/stall.hpp"
#include "sim/metrics/stall_metric_names.hpp"
#include "sim/metrics/utilisation_metric_rows.hpp"

namespace sassafras::sim {

/// What execution and SMs count.
inline constexpr auto sm_event_rows = std::to_array<MetricRow>({
    {.name = "sm__cycles_elapsed.max",
     .unit = "cycle",
     .details = {Section::speed_of_light, 0, "Elapsed Cycles"},
     .meaning = "from the begin of the launch to its end, the platform's overheads of a launch included"},
    {.name = "gpu__time_duration.sum",
     .unit = "nsecond",
     .details = {Section::speed_of_light, 1, "Duration"},
     .meaning = "the elapsed cycles at the platform's clock; on a real GPU the time between two events, less "
                "what they take alone"},
    {.name = "sm__cycles_active.avg",
     .unit = "cycle",
     .known_by = KnownBy::ratio,
     .details = {Section::speed_of_light, 2, "SM Active Cycles"},
     .ratio = {1, {"sm__cycles_active.sum"}, {"device__attribute_multiprocessor_count"}},
     .meaning = "cycles with a resident warp, mean of all SMs"},
    {.name = "smsp__inst_executed.sum",
     .unit = "inst",
     .known_by = KnownBy::execution,
     .details = {Section::instructions, 3, "Executed Instructions"},
     .meaning = "executed instructions, a warp's as one"},
    {.name = "smsp__thread_inst_executed.sum",
     .unit = "inst",
     .known_by = KnownBy::execution,
     .details = {Section::instructions, 5, "Executed Thread Instructions"},
     .meaning = "executed instructions, counted for each lane of the active mask; a false guard does not reduce it"},
    {.name = "memory_l1_wavefronts_shared",
     .known_by = KnownBy::execution,
     .details = {Section::memory, 3, "Shared Wavefronts"},
     .meaning = "passes of shared-memory accesses through the banks, the source page's sum"},
    {.name = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
     .known_by = KnownBy::execution,
     .meaning =
         "those, and what else an H200 counts with them: a shuffle, an access that no lane makes, a barrier that "
         "a block passes, a read of a thread's index or a lane's number or mask, each as one"},
    {.name = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
     .known_by = KnownBy::execution,
     .details = {Section::memory, 4, "Shared Bank Conflicts"},
     .meaning = "passes beyond those that the same lanes would need without bank conflicts"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     .unit = "sector",
     .known_by = KnownBy::execution,
     .details = {Section::memory, 1, "Global Load Sectors"},
     .meaning = "sectors that loads from global memory touch, each once a request"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     .unit = "sector",
     .known_by = KnownBy::execution,
     .details = {Section::memory, 2, "Global Store Sectors"},
     .meaning = "sectors that stores to global memory touch, each once a request"},
    {.name = "sm__inst_executed.avg.per_cycle_active",
     .unit = "inst/cycle",
     .known_by = KnownBy::ratio,
     .merge = Merge::parts,
     .details = {Section::compute, 0, "Executed Ipc Active"},
     .ratio = {1, {"smsp__inst_executed.sum"}, {"sm__cycles_active.sum"}},
     .meaning = "warp instructions that an SM executes in a cycle with a resident warp"},
    {.name = "sm__warps_active.avg.pct_of_peak_sustained_active",
     .unit = "%",
     .known_by = KnownBy::ratio,
     .merge = Merge::parts,
     .details = {Section::occupancy, 1, "Achieved Occupancy"},
     .ratio = {100, {"sm__warps_active.sum"}, {"sm__warps_active.sum.peak_sustained_active"}},
     .meaning = "resident warps, in percent of those that an SM has room for"},
    {.name = "sm__maximum_warps_per_active_cycle_pct",
     .unit = "%",
     .known_by = KnownBy::ratio,
     .merge = Merge::none,
     .details = {Section::occupancy, 0, "Theoretical Occupancy"},
     .ratio = {100, {"sm__maximum_warps_avg_per_active_cycle"}, {"device__attribute_max_warps_per_multiprocessor"}},
     .meaning = "warps that registers, shared memory and the block's size let be resident, in percent of those that an "
                "SM has room for"},
    {.name = "l1tex__t_sector_hit_rate.pct",
     .unit = "%",
     .known_by = KnownBy::ratio,
     .merge = Merge::parts,
     .details = {Section::memory, 0, "L1/TEX Hit Rate"},
     .ratio = {100,
               {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
                "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum",
                "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum",
                "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum"},
               {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup.sum",
                "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum",
                "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum",
                "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum",
                "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum",
                "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum"}},
     .meaning =
         "sectors that L1 has, of those that loads, stores and atomic operations touch in global and local memory"},
    {.name = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     .unit = "request",
     .meaning = "load instructions of a warp with at least one lane that reaches global memory"},
    {.name = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     .unit = "request",
     .meaning = "store instructions of a warp with at least one lane that reaches global memory"},
    {.name = "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum",
     .unit = "byte",
     .known_by = KnownBy::execution,
     .meaning = "bytes of the sectors that loads from global memory touch"},
    {.name = "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum",
     .unit = "byte",
     .known_by = KnownBy::execution,
     .meaning = "bytes of the sectors that stores to global memory touch"},
    {.name = "smsp__sass_data_bytes_mem_global_op_ld.sum",
     .unit = "byte",
     .known_by = KnownBy::execution,
     .meaning = "bytes that lanes load from global memory"},
    {.name = "smsp__sass_data_bytes_mem_global_op_st.sum",
     .unit = "byte",
     .known_by = KnownBy::execution,
     .meaning = "bytes that lanes store to global memory"},
    {.name = "smsp__inst_executed_op_shared_ld.sum",
     .unit = "inst",
     .known_by = KnownBy::execution,
     .meaning = "loads from shared memory, a warp's as one"},
    {.name = "smsp__inst_executed_op_shared_st.sum",
     .unit = "inst",
     .known_by = KnownBy::execution,
     .meaning = "stores to shared memory, a warp's as one"},
    {.name = "smsp__inst_executed_op_branch.sum",
     .unit = "inst",
     .known_by = KnownBy::execution,
     .details = {Section::source, 4, "Branch Instructions"},
     .meaning = "branches, calls, returns, EXIT, BSYNC and WARPSYNC, a warp's as one"},
    {.name = "smsp__sass_branch_targets.sum",
     .unit = "inst",
     .known_by = KnownBy::execution,
     .meaning = "branches, calls and returns of warps, taken or not"},
    {.name = "smsp__sass_branch_targets_threads_divergent.sum",
     .unit = "inst",
     .known_by = KnownBy::execution,
     .meaning = "those after which lanes of the warp go on at different places"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
     .unit = "sector",
     .meaning = "sectors of loads from global memory that L1 has, or already waits for"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
     .unit = "sector",
     .meaning = "and that it has not"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum",
     .unit = "sector",
     .meaning = "sectors of stores to global memory whose line L1 has, as it was loaded or stored to before"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum",
     .unit = "sector",
     .meaning = "sectors of loads from local memory that L1 has"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum",
     .unit = "sector",
     .meaning = "and that it has not"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum",
     .unit = "sector",
     .meaning = "sectors of stores to local memory that L1 has"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum",
     .unit = "sector",
     .meaning = "and that it has not"},
    {.name = "smsp__inst_issued.sum",
     .unit = "inst",
     .details = {Section::instructions, 4, "Issued Instructions"},
     .meaning =
         "executed instructions; those that wait for a constant, and one whenever a warp's lanes are sought, once "
         "more; where hardware tracks dependences (before Volta) each further wavefront or line of an access"},
});

/// Of L2 and DRAM, and parts of ratios.
inline constexpr auto level_event_rows = std::to_array<MetricRow>({
    {.name = "lts__t_sectors_srcunit_tex.sum",
     .unit = "sector",
     .meaning = "sectors that SMs ask L2 for, write to it or change there, each once"},
    {.name = "lts__t_sectors_op_read.sum",
     .unit = "sector",
     .details = {Section::memory, 6, "L2 Read Sectors"},
     .meaning = "sectors that L2 is read for: by SMs, from the other partition's slice if the near one lacks them, "
                "and what a launch reads beside its accesses (launch_traffic)"},
    {.name = "lts__t_sectors_op_write.sum",
     .unit = "sector",
     .details = {Section::memory, 7, "L2 Write Sectors"},
     .meaning = "sectors that SMs write to L2; those of the other partition's memory count there, too"},
    {.name = "lts__t_sectors_op_atom.sum",
     .unit = "sector",
     .meaning =
         "sectors that atomic operations with a result pass through in L2: lanes of one word one after the other, "
         "once in each partition on the way"},
    {.name = "lts__t_sectors_op_red.sum", .unit = "sector", .meaning = "likewise that reductions pass through"},
    {.name = "lts__t_sector_op_read_hit_rate.pct",
     .unit = "%",
     .known_by = KnownBy::ratio,
     .merge = Merge::parts,
     .details = {Section::memory, 5, "L2 Read Hit Rate"},
     .ratio = {100, {"lts__t_sectors_op_read_lookup_hit.sum"}, {"lts__t_sectors_op_read.sum"}},
     .meaning = "sectors that L2 is read for and that it has"},
    {.name = "dram__bytes_read.sum",
     .unit = "byte",
     .details = {Section::memory, 8, "DRAM Read"},
     .meaning = "bytes read from device memory, the kernel's code among them"},
    {.name = "dram__bytes_write.sum",
     .unit = "byte",
     .details = {Section::memory, 9, "DRAM Write"},
     .meaning = "bytes written to device memory, when L2 evicts them"},

    {.name = "sm__cycles_active.sum",
     .unit = "cycle",
     .is_part = true,
     .meaning = "cycles with a resident warp, of all SMs"},
    {.name = "sm__warps_active.sum",
     .unit = "warp",
     .is_part = true,
     .meaning = "resident warps of all SMs, summed over cycles"},
    {.name = "sm__warps_active.sum.peak_sustained_active",
     .unit = "warp",
     .is_part = true,
     .meaning = "warps that SMs have room for, summed over their active cycles"},
    {.name = "sm__maximum_warps_avg_per_active_cycle",
     .unit = "warp",
     .merge = Merge::none,
     .is_part = true,
     .meaning = "warps that registers, shared memory and the block's size let be resident on an SM"},
    {.name = "device__attribute_multiprocessor_count",
     .merge = Merge::none,
     .is_part = true,
     .meaning = "SMs of the platform"},
    {.name = "device__attribute_max_warps_per_multiprocessor",
     .unit = "warp",
     .merge = Merge::none,
     .is_part = true,
     .meaning = "warps that an SM of the platform has room for"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup.sum",
     .unit = "sector",
     .is_part = true,
     .meaning = "sectors of load requests, which L1 looks for"},
    {.name = "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup.sum",
     .unit = "sector",
     .is_part = true,
     .meaning = "sectors of stores, reductions and atomic operations, of which L1 has those of stores"},
    {.name = "lts__t_sectors_op_read_lookup_hit.sum",
     .unit = "sector",
     .is_part = true,
     .meaning = "sectors that L2 is read for and that it has"},
});

/// All but the warp states.
inline constexpr auto event_rows = detail::joined(sm_event_rows, utilisation_metric_rows, level_event_rows);

/// Rows that are counted while a launch runs, or computed from those counts alone.
inline constexpr std::size_t counted_metrics = event_rows.size() + 2 * stall_count;
inline constexpr std::size_t metric_count = counted_metrics + full_set_rows.size();

/// Every metric: the events, then for each reason to stall its ratio, then the warp-cycles that ratios come from, then
/// what only the full set has.
inline constexpr std::array<MetricRow, metric_count> metric_rows = [] {
    std::array<MetricRow, metric_count> rows{};
    std::size_t next = 0;
    for (const MetricRow& row : event_rows) rows[next++] = row;
    for (std::size_t i = 0; i < stall_count; ++i)
        rows[next++] = {.name = detail::stall_metric_names.ratio[i].view(),
                        .known_by = KnownBy::ratio,
                        .merge = Merge::parts,
                        .details = {Section::warp_state, static_cast<std::uint8_t>(i),
                                    detail::stall_metric_names.label[i].view(), "warp/issue"},
                        .ratio = {1, {detail::stall_metric_names.cycles[i].view()}, {"smsp__inst_executed.sum"}},
                        .meaning = stall_rows[i].meaning};
    for (std::size_t i = 0; i < stall_count; ++i)
        rows[next++] = {.name = detail::stall_metric_names.cycles[i].view(),
                        .unit = "warp",
                        .is_part = true,
                        .meaning = stall_rows[i].meaning};
    for (const MetricRow& row : full_set_rows) rows[next++] = row;
    return rows;
}();

/// The row of a name; none if there is no such metric.
[[nodiscard]] constexpr std::optional<MetricId> find_metric(std::string_view name) {
    for (std::size_t i = 0; i < metric_count; ++i)
        if (metric_rows[i].name == name) return MetricId{static_cast<std::uint16_t>(i)};
    return std::nullopt;
}

[[nodiscard]] constexpr const MetricRow& row_of(MetricId id) { return metric_rows[id.index]; }
[[nodiscard]] constexpr std::string_view name_of(MetricId id) { return row_of(id).name; }

/// It is a reason's ratio: those are shown by size, and make up the cycles of an instruction.
[[nodiscard]] constexpr bool is_stall_ratio(MetricId id) {
    return id.index >= event_rows.size() && id.index < event_rows.size() + stall_count;
}

/// Warps in a state for an instruction issued.
[[nodiscard]] constexpr MetricId stall_ratio(Stall reason) {
    return {static_cast<std::uint16_t>(event_rows.size() + index_of(reason))};
}

/// Warp-cycles in a state, the part of its ratio.
[[nodiscard]] constexpr MetricId stall_cycles(Stall reason) {
    return {static_cast<std::uint16_t>(event_rows.size() + stall_count + index_of(reason))};
}

}  // namespace sassafras::sim

namespace sassafras {

namespace detail {

/// A constant, so that no build counts by searching names: clang 14 calls consteval functions at run time in templates.
template <LiteralText name>
inline constexpr sim::MetricId metric_id = sim::find_metric(name.view()).value();

}  // namespace detail

/// The metric of a name. It does not compile if there is none.
template <LiteralText name>
constexpr sim::MetricId operator""_metric() {
    return detail::metric_id<name>;
}

}  // namespace sassafras
