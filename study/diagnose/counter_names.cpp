#include "study/diagnose/counter_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace sassafras::study {

namespace {

constexpr double sectors_a_byte = 1.0 / 32;
constexpr double lines_a_sector = 1.0 / 4;
constexpr double nanoseconds_a_microsecond = 1000;
constexpr double percent_a_share = 100;

/// One way to know a quantity: the sum of these, scaled. All must be there.
struct Source {
    Quantity quantity{};
    std::array<std::string_view, 2> names{};
    double scale = 1;
};

using enum Quantity;

// In the order in which they are looked for: events before metrics, what is counted before what is rounded.
constexpr auto sources = std::to_array<Source>({
    // nvprof's events (Gehrke 2015, tables 3.1 to 3.5).
    {time, {"gputime"}, nanoseconds_a_microsecond},
    {thread_instructions, {"thread_inst_executed_0", "thread_inst_executed_1"}},
    {dram_read_sectors, {"fb_subp0_read_sectors", "fb_subp1_read_sectors"}},
    {dram_write_sectors, {"fb_subp0_write_sectors", "fb_subp1_write_sectors"}},
    {l2_read_sectors, {"l2_subp0_read_sector_queries", "l2_subp1_read_sector_queries"}},
    {l2_write_sectors, {"l2_subp0_write_sector_queries", "l2_subp1_write_sector_queries"}},
    {l2_read_hit_sectors, {"l2_subp0_read_hit_sectors", "l2_subp1_read_hit_sectors"}},
    {global_load_transactions, {"l1_global_load_hit", "l1_global_load_miss"}},
    {global_store_transactions, {"global_store_transaction"}},
    // nvprof's metrics (tables 3.9 to 3.16).
    {dram_read_sectors, {"dram_read_transactions"}},
    {dram_write_sectors, {"dram_write_transactions"}},
    {l2_read_sectors, {"l2_read_transactions"}},
    {l2_write_sectors, {"l2_write_transactions"}},
    {achieved_occupancy, {"achieved_occupancy"}, percent_a_share},
    {issue_utilisation, {"issue_slot_utilization"}},
    {l2_hit_rate, {"l2_tex_read_hit_rate"}},
    // Nsight Compute's, and those of sim/metrics.
    {time, {"gpu__time_duration.sum"}},
    {clocks, {"sm__cycles_elapsed.max"}},
    {instructions_issued, {"smsp__inst_issued.sum"}},
    {instructions_executed, {"smsp__inst_executed.sum"}},
    {thread_instructions, {"smsp__thread_inst_executed.sum"}},
    {dram_read_sectors, {"dram__sectors_read.sum"}},
    {dram_read_sectors, {"dram__bytes_read.sum"}, sectors_a_byte},
    {dram_write_sectors, {"dram__sectors_write.sum"}},
    {dram_write_sectors, {"dram__bytes_write.sum"}, sectors_a_byte},
    {l2_read_sectors, {"lts__t_sectors_op_read.sum"}},
    {l2_write_sectors, {"lts__t_sectors_op_write.sum"}},
    {l2_read_hit_sectors, {"lts__t_sectors_op_read_lookup_hit.sum"}},
    {l2_hit_rate, {"lts__t_sector_op_read_hit_rate.pct"}},
    {l2_hit_rate, {"lts__t_sector_hit_rate.pct"}},
    {global_load_requests, {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}},
    {global_store_requests, {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}},
    {global_load_transactions, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
    {global_store_transactions, {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    {global_load_hits, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"}},
    {global_load_misses, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum"}},
    {global_load_requested_bytes, {"smsp__sass_data_bytes_mem_global_op_ld.sum"}},
    {global_load_moved_bytes, {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum"}},
    {global_store_requested_bytes, {"smsp__sass_data_bytes_mem_global_op_st.sum"}},
    {global_store_moved_bytes, {"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum"}},
    {local_load_hits, {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"}, lines_a_sector},
    {local_load_misses, {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum"}, lines_a_sector},
    {local_store_hits, {"l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum"}, lines_a_sector},
    {local_store_misses, {"l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum"}, lines_a_sector},
    {shared_loads, {"smsp__inst_executed_op_shared_ld.sum"}},
    {shared_stores, {"smsp__inst_executed_op_shared_st.sum"}},
    {shared_conflicts, {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"}},
    {branches, {"smsp__sass_branch_targets.sum"}},
    {divergent_branches, {"smsp__sass_branch_targets_threads_divergent.sum"}},
    {active_warps, {"sm__warps_active.sum"}},
    {active_cycles, {"sm__cycles_active.sum"}},
    {theoretical_occupancy, {"sm__maximum_warps_per_active_cycle_pct"}},
    {achieved_occupancy, {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
    {issue_utilisation, {"smsp__issue_active.avg.pct_of_peak_sustained_elapsed"}},
    {dram_utilisation, {"dram__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {l2_utilisation, {"model__l2_slices.avg.pct_of_peak_sustained_elapsed"}},
    {l2_utilisation, {"lts__t_sectors.avg.pct_of_peak_sustained_elapsed"}},
    {l1_utilisation, {"model__l1_lines.avg.pct_of_peak_sustained_elapsed"}},
    {l1_utilisation, {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {l1_utilisation, {"l1tex__t_requests.avg.pct_of_peak_sustained_elapsed"}},
    {shared_utilisation, {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"}},
    {fp32_utilisation, {"model__fma_busier_half.avg.pct_of_peak_sustained_elapsed"}},
    {fp32_utilisation, {"sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed"}},  // the busier half
    {fp32_utilisation, {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {fp64_utilisation, {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {tensor_utilisation, {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {special_utilisation, {"sm__pipe_xu_cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {fp32_utilisation, {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed"}},
    {fp64_utilisation, {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed"}},
    {tensor_utilisation, {"sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_elapsed"}},
    {special_utilisation, {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed"}},
    {active_ipc, {"sm__inst_executed.avg.per_cycle_active"}},
    {barrier_stalls, {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"}},
    {load_store_utilisation, {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"}},
});

/// nvprof writes how busy a unit is in steps of ten percent: "Idle (0)", "Low (1)" to "Low (3)", "Mid (4)" to "Mid
/// (6)", "High (7)" to "High (9)", "Max (10)".
struct Level {
    std::string_view word{};
    double percent{};  ///< where the step is not said: the middle of the word's
};
constexpr auto levels = std::to_array<Level>({{"Idle", 0}, {"Low", 20}, {"Mid", 50}, {"High", 80}, {"Max", 100}});
constexpr double percent_a_step = 10;

std::optional<double> level_value(std::string_view text) {
    for (const Level& level : levels) {
        if (!text.starts_with(level.word)) continue;
        const std::string_view rest = text.substr(level.word.size());
        if (rest.empty()) return level.percent;
        if (!rest.starts_with(" (") || !rest.ends_with(")")) return std::nullopt;
        const std::string_view step = rest.substr(2, rest.size() - 3);
        int number = 0;
        const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), number);
        if (error != std::errc{} || end != step.data() + step.size() || number < 0 || number > 10) return std::nullopt;
        return number * percent_a_step;
    }
    return std::nullopt;
}

}  // namespace

double unit_factor(std::string_view unit) {
    constexpr auto factors = std::to_array<std::pair<std::string_view, double>>({{"us", 1e3},
                                                                                 {"usecond", 1e3},
                                                                                 {"ms", 1e6},
                                                                                 {"msecond", 1e6},
                                                                                 {"s", 1e9},
                                                                                 {"second", 1e9},
                                                                                 {"KB", 1e3},
                                                                                 {"Kbyte", 1e3},
                                                                                 {"MB", 1e6},
                                                                                 {"Mbyte", 1e6},
                                                                                 {"GB", 1e9},
                                                                                 {"Gbyte", 1e9},
                                                                                 {"KB/s", 1e3},
                                                                                 {"MB/s", 1e6},
                                                                                 {"GB/s", 1e9}});
    for (const auto& [name, factor] : factors)
        if (name == unit) return factor;
    return 1;
}

std::optional<double> counter_value(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (const auto level = level_value(text)) return level;
    std::string digits;
    for (const char letter : text)
        if (letter != ',') digits += letter;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
    const std::string_view unit(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
    if (unit.empty() || unit == "%") return value;
    const double factor = unit_factor(unit);
    return factor != 1 || unit == "ns" || unit == "B/s" ? std::optional(value * factor) : std::nullopt;
}

Counters counters_of(const NamedValues& values) {
    Counters counters;
    const auto known = [&](std::string_view name) { return values.find(name) != values.end(); };
    for (const QuantityRow& row : quantity_rows)
        if (known(row.name)) counters.put(row.quantity, values.find(row.name)->second);
    for (const Source& source : sources) {
        if (counters.find(source.quantity)) continue;
        double sum = 0;
        bool complete = true;
        for (const std::string_view name : source.names) {
            if (name.empty()) continue;
            complete = complete && known(name);
            if (complete) sum += values.find(name)->second;
        }
        if (complete) counters.put(source.quantity, source.scale * sum);
    }
    return counters;
}

bool is_counter_name(std::string_view name) {
    const auto is_row = [&](const QuantityRow& row) { return row.name == name; };
    const auto is_source = [&](const Source& source) {
        return std::find(source.names.begin(), source.names.end(), name) != source.names.end();
    };
    return !name.empty() && (std::any_of(quantity_rows.begin(), quantity_rows.end(), is_row) ||
                             std::any_of(sources.begin(), sources.end(), is_source));
}

}  // namespace sassafras::study
