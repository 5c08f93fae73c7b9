#include "study/diagnose/figures.hpp"

#include <algorithm>

namespace sassafras::study {

namespace {

using Value = std::optional<double>;
using Given = const Counters&;
using Gpu = const Machine&;
using enum Quantity;

constexpr double whole_percent = 100;
constexpr double bytes_a_sector = 32;
constexpr double sectors_a_line = 4;
constexpr double lanes = 32;
constexpr double nanoseconds_a_second = 1e9;

Value quotient(Value part, Value whole) {
    if (!part || !whole || *whole == 0) return std::nullopt;
    return *part / *whole;
}
Value scaled(double factor, Value value) { return value ? Value(factor * *value) : std::nullopt; }

Value dram_sectors(Given c) { return c.sum(dram_read_sectors, dram_write_sectors); }
Value l2_sectors(Given c) { return c.sum(l2_read_sectors, l2_write_sectors); }
/// 1e9 bytes a second: bytes a nanosecond.
Value gigabytes_a_second(Value sectors, Given c) { return scaled(bytes_a_sector, quotient(sectors, c.find(time))); }

Value dram_percent(Given c, Gpu gpu) {
    if (const Value known = c.find(dram_utilisation); known && !dram_sectors(c)) return known;
    return scaled(whole_percent * nanoseconds_a_second / gpu.dram_bytes_per_second,
                  gigabytes_a_second(dram_sectors(c), c));
}

Value l2_hits(Given c, Gpu /*gpu*/) {
    if (const Value counted = quotient(c.find(l2_read_hit_sectors), c.find(l2_read_sectors)))
        return whole_percent * *counted;
    return c.find(Quantity::l2_hit_rate);
}

/// Of an SM. Where clocks are not known, time at the machine's clock is.
Value instructions_a_clock(Given c, Gpu gpu) {
    const Value clock_count =
        c.find(clocks) ? c.find(clocks) : scaled(gpu.clock_hz / nanoseconds_a_second, c.find(time));
    return quotient(c.find(instructions_executed), scaled(gpu.sm_count, clock_count));
}

/// The thesis' "percent of peak" is that of executed instructions; where only issued ones are known, theirs.
Value issued_percent(Given c, Gpu gpu) {
    const double peak = gpu.instructions_per_second / gpu.clock_hz / gpu.sm_count;
    if (const Value executed = instructions_a_clock(c, gpu)) return whole_percent * *executed / peak;
    if (const Value known = c.find(issue_utilisation)) return known;
    return scaled(whole_percent * nanoseconds_a_second / gpu.instructions_per_second,
                  quotient(c.find(instructions_issued), c.find(time)));
}

Value loads(Given c) {
    if (const Value known = c.find(global_load_transactions)) return known;
    return c.sum(global_load_hits, global_load_misses);
}

Value occupied(Given c, Gpu gpu) {
    if (const Value known = c.find(achieved_occupancy)) return known;
    return scaled(whole_percent / gpu.max_warps_per_sm, quotient(c.find(active_warps), c.find(active_cycles)));
}

/// What lanes that do nothing cost (equation 3.8).
Value idle_lanes(Given c, Gpu /*gpu*/) {
    const Value busy = quotient(c.find(thread_instructions), scaled(lanes, c.find(instructions_executed)));
    return busy ? Value(whole_percent * (1 - *busy)) : std::nullopt;
}

/// Of the time of resident warps. Nsight Compute counts cycles an issued instruction, nvprof shares of the stalls.
Value barrier_percent(Given c, Gpu gpu) {
    if (const Value known = c.find(barrier_stall_share)) return known;
    const Value warps = scaled(gpu.max_warps_per_sm / whole_percent, occupied(c, gpu));
    const Value at_barriers = quotient(c.find(barrier_stalls), quotient(warps, c.find(active_ipc)));
    return scaled(whole_percent, at_barriers);
}

/// Each resident warp waits for one load of its own.
Value offered_bytes(Given c, Gpu gpu) {
    const Value warps = scaled(gpu.sm_count * gpu.max_warps_per_sm / whole_percent, occupied(c, gpu));
    const Value bytes = c.find(global_load_moved_bytes)
                            ? quotient(c.find(global_load_moved_bytes), c.find(global_load_requests))
                            : scaled(bytes_a_sector, quotient(c.find(l2_read_sectors), c.find(global_load_requests)));
    return warps && bytes ? Value(*warps * *bytes) : std::nullopt;
}

constexpr auto figure_list = std::to_array<FigureRow>({
    {Figure::ideal_ratio, "ideal instructions a byte", "", "peak of instructions / peak of DRAM",
     [](Given, Gpu gpu) -> Value { return gpu.ideal_ratio(); }},
    {Figure::dram_ratio, "instructions a byte of DRAM", "", "32 inst_issued / (32 (dram_reads + dram_writes))",
     [](Given c, Gpu) { return quotient(c.find(instructions_issued), dram_sectors(c)); }},
    {Figure::l2_ratio, "instructions a byte of L2", "", "32 inst_issued / (32 (l2_read_requests + l2_write_requests))",
     [](Given c, Gpu) { return quotient(c.find(instructions_issued), l2_sectors(c)); }},
    {Figure::dram_throughput, "DRAM throughput", "GB/s", "32 (dram_reads + dram_writes) / time",
     [](Given c, Gpu) { return gigabytes_a_second(dram_sectors(c), c); }},
    {Figure::dram_share, "DRAM throughput of the peak", "%", "DRAM throughput / peak of DRAM", dram_percent},
    {Figure::l2_throughput, "L2 throughput", "GB/s", "32 (l2_read_requests + l2_write_requests) / time",
     [](Given c, Gpu) { return gigabytes_a_second(l2_sectors(c), c); }},
    {Figure::l2_hit_rate, "L2 hit rate", "%", "l2_read_hits / l2_read_requests", l2_hits},
    {Figure::l1_global_hit_rate, "L1 hit rate of global loads", "%",
     "l1_global_load_hit / (l1_global_load_hit + l1_global_load_miss)",
     [](Given c, Gpu) {
         return scaled(whole_percent, quotient(c.find(global_load_hits), c.sum(global_load_hits, global_load_misses)));
     }},
    {Figure::l1_local_hit_rate, "L1 hit rate of local loads", "%",
     "l1_local_load_hit / (l1_local_load_hit + l1_local_load_miss)",
     [](Given c, Gpu) {
         return scaled(whole_percent, quotient(c.find(local_load_hits), c.sum(local_load_hits, local_load_misses)));
     }},
    {Figure::load_transactions, "transactions a global load", "", "gld_transactions / gld_request",
     [](Given c, Gpu) { return quotient(loads(c), c.find(global_load_requests)); }},
    {Figure::store_transactions, "transactions a global store", "", "gst_transactions / gst_request",
     [](Given c, Gpu) { return quotient(c.find(global_store_transactions), c.find(global_store_requests)); }},
    {Figure::load_efficiency, "requested of moved bytes, loads", "%", "gld_requested_bytes / gld_moved_bytes",
     [](Given c, Gpu) {
         return scaled(whole_percent, quotient(c.find(global_load_requested_bytes), c.find(global_load_moved_bytes)));
     }},
    {Figure::store_efficiency, "requested of moved bytes, stores", "%", "gst_requested_bytes / gst_moved_bytes",
     [](Given c, Gpu) {
         return scaled(whole_percent, quotient(c.find(global_store_requested_bytes), c.find(global_store_moved_bytes)));
     }},
    {Figure::local_share_of_l2, "L2 traffic of local memory", "%",
     "2 * 4 l1_local_load_miss / (l2_read_requests + l2_write_requests)",
     [](Given c, Gpu) {
         return scaled(whole_percent * 2 * sectors_a_line, quotient(c.find(local_load_misses), l2_sectors(c)));
     }},
    {Figure::local_share_of_dram, "DRAM traffic of local memory", "%",
     "2 * 4 l1_local_load_miss / (dram_reads + dram_writes)",
     [](Given c, Gpu) {
         return scaled(whole_percent * 2 * sectors_a_line, quotient(c.find(local_load_misses), dram_sectors(c)));
     }},
    {Figure::ipc, "instructions a clock of an SM", "", "inst_executed / SMs / elapsed_clocks", instructions_a_clock},
    {Figure::issue_share, "instructions of the peak", "%", "instructions a clock / those of FP32 at most",
     issued_percent},
    {Figure::serialisation, "executed of issued instructions", "%", "inst_executed / inst_issued",
     [](Given c, Gpu) {
         return scaled(whole_percent, quotient(c.find(instructions_executed), c.find(instructions_issued)));
     }},
    {Figure::replays, "replays of issued instructions", "%", "(inst_issued - inst_executed) / inst_issued",
     [](Given c, Gpu) -> Value {
         const Value executed = quotient(c.find(instructions_executed), c.find(instructions_issued));
         return executed ? Value(whole_percent * (1 - *executed)) : std::nullopt;
     }},
    {Figure::conflicts_an_access, "bank conflicts a shared access", "",
     "l1_shared_bank_conflict / (shared_load + shared_store)",
     [](Given c, Gpu) { return quotient(c.find(shared_conflicts), c.sum(shared_loads, shared_stores)); }},
    {Figure::conflicts_an_instruction, "bank conflicts of issued instructions", "%",
     "l1_shared_bank_conflict / inst_issued",
     [](Given c, Gpu) {
         return scaled(whole_percent, quotient(c.find(shared_conflicts), c.find(instructions_issued)));
     }},
    {Figure::spilling, "spills of issued instructions", "%", "l1_local_load_miss / inst_issued",
     [](Given c, Gpu) {
         return scaled(whole_percent, quotient(c.find(local_load_misses), c.find(instructions_issued)));
     }},
    {Figure::local_memory, "local accesses of issued instructions", "%",
     "(l1_local_load_hit + l1_local_load_miss + l1_local_store_hit + l1_local_store_miss) / inst_issued",
     [](Given c, Gpu) {
         return scaled(whole_percent,
                       quotient(c.sum(local_load_hits, local_load_misses, local_store_hits, local_store_misses),
                                c.find(instructions_issued)));
     }},
    {Figure::divergent_branches, "divergent branches", "%", "divergent_branch / branch",
     [](Given c,
        Gpu) { return scaled(whole_percent, quotient(c.find(Quantity::divergent_branches), c.find(branches))); }},
    {Figure::divergence, "idle lanes", "%", "(32 inst_executed - thread_inst_executed) / (32 inst_executed)",
     idle_lanes},
    {Figure::theoretical_occupancy, "theoretical occupancy", "%", "resident warps that limits leave / possible ones",
     [](Given c, Gpu) { return c.find(Quantity::theoretical_occupancy); }},
    {Figure::occupancy, "achieved occupancy", "%", "active_warps / active_cycles / possible warps", occupied},
    {Figure::barrier_waits, "waits at barriers, of warps' time", "%",
     "stall_sync, or warps at barriers / resident ones", barrier_percent},
    {Figure::bytes_in_flight, "bytes in flight", "byte", "resident warps, a load of each", offered_bytes},
    {Figure::bytes_needed, "bytes in flight for the peak of DRAM", "byte", "latency of DRAM * its peak (Little)",
     [](Given, Gpu gpu) -> Value { return gpu.dram_latency_seconds * gpu.dram_bytes_per_second; }},
});

constexpr bool figures_are_in_order() {
    for (std::size_t i = 0; i < figure_list.size(); ++i)
        if (static_cast<std::size_t>(figure_list[i].figure) != i) return false;
    return figure_list.size() == figure_count;
}
static_assert(figures_are_in_order());

}  // namespace

std::span<const FigureRow> figure_rows() { return figure_list; }

const FigureRow& row_of(Figure figure) { return figure_list[static_cast<std::size_t>(figure)]; }

Figures figures_of(const Counters& counters, const Machine& machine) {
    Figures figures;
    for (const FigureRow& row : figure_list) figures.put(row.figure, row.value(counters, machine));
    return figures;
}

}  // namespace sassafras::study
