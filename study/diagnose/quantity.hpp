// What the framework takes of a launch, as rows of one list: each quantity by the names that profilers have for it.
// Source: Gehrke 2015, tables 3.1 to 3.5 (events of nvprof), 3.9 to 3.16 (its metrics); Nsight Compute's names are also
// those of sim/metrics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sassafras::study {

enum class Quantity : std::uint8_t {
    time,
    clocks,
    instructions_issued,
    instructions_executed,
    thread_instructions,
    dram_read_sectors,
    dram_write_sectors,
    l2_read_sectors,
    l2_write_sectors,
    l2_read_hit_sectors,
    global_load_requests,
    global_store_requests,
    global_load_transactions,
    global_store_transactions,
    global_load_hits,
    global_load_misses,
    global_load_requested_bytes,
    global_load_moved_bytes,
    global_store_requested_bytes,
    global_store_moved_bytes,
    local_load_hits,
    local_load_misses,
    local_store_hits,
    local_store_misses,
    shared_loads,
    shared_stores,
    shared_conflicts,
    branches,
    divergent_branches,
    active_warps,
    active_cycles,
    theoretical_occupancy,
    achieved_occupancy,
    l2_hit_rate,
    issue_utilisation,
    dram_utilisation,
    l2_utilisation,
    l1_utilisation,
    shared_utilisation,
    fp32_utilisation,
    fp64_utilisation,
    tensor_utilisation,
    special_utilisation,
    load_store_utilisation,
    control_utilisation,
    active_ipc,
    barrier_stalls,
    barrier_stall_share,
};
inline constexpr std::size_t quantity_count = static_cast<std::size_t>(Quantity::barrier_stall_share) + 1;

/// What launches together have.
enum class Together : std::uint8_t {
    sum,
    mean,  ///< weighted by their times
};

struct QuantityRow {
    Quantity quantity{};
    std::string_view name{};  ///< as it is printed, and may be given
    std::string_view unit{};
    Together together = Together::sum;
    std::string_view meaning{};
};

inline constexpr auto quantity_rows = std::to_array<QuantityRow>({
    {Quantity::time, "time", "ns", Together::sum, "of the launch"},
    {Quantity::clocks, "elapsed_clocks", "cycle", Together::sum, "of the SMs' clock"},
    {Quantity::instructions_issued, "inst_issued", "inst", Together::sum, "warp instructions, replays as well"},
    {Quantity::instructions_executed, "inst_executed", "inst", Together::sum, "warp instructions, each once"},
    {Quantity::thread_instructions, "thread_inst_executed", "inst", Together::sum, "instructions of active lanes"},
    {Quantity::dram_read_sectors, "dram_reads", "sector", Together::sum, "32 bytes each"},
    {Quantity::dram_write_sectors, "dram_writes", "sector", Together::sum, "32 bytes each"},
    {Quantity::l2_read_sectors, "l2_read_requests", "sector", Together::sum, "that SMs ask L2 for, 32 bytes each"},
    {Quantity::l2_write_sectors, "l2_write_requests", "sector", Together::sum, "that SMs write to L2"},
    {Quantity::l2_read_hit_sectors, "l2_read_hits", "sector", Together::sum, "of those asked for, that L2 has"},
    {Quantity::global_load_requests, "gld_request", "request", Together::sum, "load instructions of warps"},
    {Quantity::global_store_requests, "gst_request", "request", Together::sum, "store instructions of warps"},
    {Quantity::global_load_transactions, "gld_transactions", "", Together::sum,
     "lines of 128 bytes (Fermi) or sectors of 32 that global loads touch, each once a request"},
    {Quantity::global_store_transactions, "gst_transactions", "", Together::sum, "the same of stores"},
    {Quantity::global_load_hits, "l1_global_load_hit", "", Together::sum, "of those transactions, that L1 has"},
    {Quantity::global_load_misses, "l1_global_load_miss", "", Together::sum, "and that it has not"},
    {Quantity::global_load_requested_bytes, "gld_requested_bytes", "byte", Together::sum, "that lanes load"},
    {Quantity::global_load_moved_bytes, "gld_moved_bytes", "byte", Together::sum, "of the sectors they lie in"},
    {Quantity::global_store_requested_bytes, "gst_requested_bytes", "byte", Together::sum, "that lanes store"},
    {Quantity::global_store_moved_bytes, "gst_moved_bytes", "byte", Together::sum, "of the sectors they lie in"},
    {Quantity::local_load_hits, "l1_local_load_hit", "line", Together::sum, "lines of 128 bytes of local memory"},
    {Quantity::local_load_misses, "l1_local_load_miss", "line", Together::sum, "the same"},
    {Quantity::local_store_hits, "l1_local_store_hit", "line", Together::sum, "the same"},
    {Quantity::local_store_misses, "l1_local_store_miss", "line", Together::sum, "the same"},
    {Quantity::shared_loads, "shared_load", "inst", Together::sum, "load instructions of warps"},
    {Quantity::shared_stores, "shared_store", "inst", Together::sum, "store instructions of warps"},
    {Quantity::shared_conflicts, "l1_shared_bank_conflict", "", Together::sum, "passes beyond those needed"},
    {Quantity::branches, "branch", "inst", Together::sum, "branches of warps"},
    {Quantity::divergent_branches, "divergent_branch", "inst", Together::sum, "those whose lanes part"},
    {Quantity::active_warps, "active_warps", "warp", Together::sum, "resident warps, summed over cycles and SMs"},
    {Quantity::active_cycles, "active_cycles", "cycle", Together::sum, "with a resident warp, summed over SMs"},
    {Quantity::theoretical_occupancy, "theoretical_occupancy", "%", Together::mean, "what limits let be resident"},
    {Quantity::achieved_occupancy, "occupancy", "%", Together::mean, "resident warps, of those possible"},
    {Quantity::l2_hit_rate, "l2_hit_rate", "%", Together::mean, "of sectors that SMs ask for"},
    {Quantity::issue_utilisation, "issue_utilisation", "%", Together::mean, "of the peak of warp instructions"},
    {Quantity::dram_utilisation, "dram_utilization", "%", Together::mean, "of the peak"},
    {Quantity::l2_utilisation, "l2_utilization", "%", Together::mean, "of the peak"},
    {Quantity::l1_utilisation, "tex_utilization", "%", Together::mean, "L1 and texture unit, of the peak"},
    {Quantity::shared_utilisation, "shared_utilization", "%", Together::mean, "of the peak of shared memory"},
    {Quantity::fp32_utilisation, "single_precision_fu_utilization", "%", Together::mean, "of the pipe"},
    {Quantity::fp64_utilisation, "double_precision_fu_utilization", "%", Together::mean, "of the pipe"},
    {Quantity::tensor_utilisation, "tensor_precision_fu_utilization", "%", Together::mean, "of the tensor cores"},
    {Quantity::special_utilisation, "special_fu_utilization", "%", Together::mean, "of the pipe"},
    {Quantity::load_store_utilisation, "ldst_fu_utilization", "%", Together::mean, "of the pipe"},
    {Quantity::control_utilisation, "cf_fu_utilization", "%", Together::mean, "of the pipe"},
    {Quantity::active_ipc, "active_ipc", "inst/cycle", Together::mean, "of an SM, in cycles with a resident warp"},
    {Quantity::barrier_stalls, "barrier_stalls", "warp", Together::mean, "cycles at barriers, an issued instruction"},
    {Quantity::barrier_stall_share, "stall_sync", "%", Together::mean, "waits at barriers, of all stalls"},
});

consteval bool rows_are_in_order() {
    for (std::size_t i = 0; i < quantity_rows.size(); ++i)
        if (static_cast<std::size_t>(quantity_rows[i].quantity) != i) return false;
    return quantity_rows.size() == quantity_count;
}
static_assert(rows_are_in_order());

[[nodiscard]] constexpr const QuantityRow& row_of(Quantity quantity) {
    return quantity_rows[static_cast<std::size_t>(quantity)];
}

}  // namespace sassafras::study
