// Tables of the details page: breakdowns of the throughputs, and memory by space and kind of access.
#include <algorithm>
#include <array>
#include <string_view>

#include "cli/reports/details_sections.hpp"
#include "core/number_text.hpp"
#include "sim/metrics/metric_list.hpp"

namespace sassafras::cli {

namespace {

struct Share {
    std::string_view label;
    sim::MetricId metric;
};

constexpr auto compute_shares = std::to_array<Share>({
    {"SM: Issue Active", "sm__issue_active.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Inst Executed", "sm__inst_executed.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Pipe ALU Cycles Active", "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Pipe FMA Cycles Active", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Inst Executed Pipe FMA (FP16)",
     "sm__inst_executed_pipe_fma_type_fp16.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Pipe FP64 Cycles Active", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Pipe Tensor Cycles Active", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Pipe Shared Cycles Active", "sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Inst Executed Pipe XU", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Inst Executed Pipe LSU", "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Inst Executed Pipe ADU", "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Inst Executed Pipe CBU", "sm__inst_executed_pipe_cbu.avg.pct_of_peak_sustained_elapsed"_metric},
    {"SM: Inst Executed Pipe Uniform", "sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_elapsed"_metric},
});

constexpr auto memory_shares = std::to_array<Share>({
    {"L1: Data Pipe LSU Wavefronts", "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L1: Data Pipe LSU Wavefronts Shared",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L1: LSUIN Requests", "l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L1: To L2 (model)", "model__l1_to_l2.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L1: Global Load Requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum.pct_of_peak_sustained_elapsed"_metric},
    {"L1: Global Store Requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum.pct_of_peak_sustained_elapsed"_metric},
    {"L2: Sectors Looked Up (model)", "model__l2_sectors.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L2: From Crossbar (model)", "model__l2_from_crossbar.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L2: To Crossbar (model)", "model__l2_to_crossbar.avg.pct_of_peak_sustained_elapsed"_metric},
    {"L2: Slices (model)", "model__l2_slices.avg.pct_of_peak_sustained_elapsed"_metric},
    {"DRAM: Cycles Active", "dram__cycles_active.avg.pct_of_peak_sustained_elapsed"_metric},
    {"DRAM: Bytes Read", "dram__bytes_read.sum.pct_of_peak_sustained_elapsed"_metric},
    {"DRAM: Bytes Written", "dram__bytes_write.sum.pct_of_peak_sustained_elapsed"_metric},
});

template <std::size_t size>
DetailsTable breakdown(std::string title, const std::array<Share, size>& shares, const sim::MetricSet& metrics) {
    std::vector<std::pair<double, std::string_view>> known;
    for (const Share& share : shares)
        if (const auto value = metrics.find(share.metric)) known.emplace_back(*value, share.label);
    std::stable_sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    DetailsTable table{std::move(title), {{"Metric Name", "Metric Unit", "Metric Value"}}, 1};
    for (const auto& [value, label] : known) table.rows.push_back({std::string(label), "%", rounded(value)});
    return table;
}

/// Names of metrics; empty where an access of the kind has none.
struct Access {
    std::string_view space;
    std::string_view kind;
    std::string_view instructions;
    std::string_view requests;
    std::string_view wavefronts;
    std::string_view sectors;
    std::string_view hit_rate;
};

constexpr auto accesses = std::to_array<Access>({
    {"Global", "Loads", "sass__inst_executed_global_loads", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct"},
    {"Global", "Stores", "sass__inst_executed_global_stores", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sector_pipe_lsu_mem_global_op_st_hit_rate.pct"},
    {"Global", "Atomics", "", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", ""},
    {"Global", "Reductions", "smsp__inst_executed_op_global_red.sum",
     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", ""},
    {"Local", "Loads", "sass__inst_executed_local_loads", "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sector_pipe_lsu_mem_local_op_ld_hit_rate.pct"},
    {"Local", "Stores", "sass__inst_executed_local_stores", "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "l1tex__t_sector_pipe_lsu_mem_local_op_st_hit_rate.pct"},
    {"Shared", "Loads", "sass__inst_executed_shared_loads", "", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "", ""},
    {"Shared", "Stores", "sass__inst_executed_shared_stores", "",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "", ""},
    {"Shared", "Atomics", "smsp__inst_executed_op_shared_atom.sum", "", "", "", ""},
});

constexpr bool are_metrics() {
    for (const Access& row : accesses)
        for (const std::string_view name : {row.instructions, row.requests, row.wavefronts, row.sectors, row.hit_rate})
            if (!name.empty() && !sim::find_metric(name)) return false;
    return true;
}
static_assert(are_metrics());

}  // namespace

std::vector<DetailsTable> breakdown_tables(const sim::MetricSet& metrics) {
    std::vector<DetailsTable> tables{breakdown("Compute (SM) Throughput Breakdown", compute_shares, metrics),
                                     breakdown("Memory Throughput Breakdown", memory_shares, metrics)};
    std::erase_if(tables, [](const DetailsTable& table) { return table.rows.size() == 1; });
    return tables;
}

DetailsTable memory_table(const sim::MetricSet& metrics) {
    DetailsTable table{
        "Memory Tables",
        {{"Space", "Access", "Instructions", "Requests", "Wavefronts", "Sectors", "Sectors/Req", "L1 Hit Rate %"}},
        2};
    bool is_known = false;
    for (const Access& row : accesses) {
        const auto value = [&](std::string_view name) {
            return name.empty() ? std::nullopt : metrics.find(sim::find_metric(name).value());
        };
        const auto cell = [&](const std::optional<double>& known) {
            return known ? rounded(*known) : std::string("-");
        };
        const auto requests = value(row.requests);
        const auto sectors = value(row.sectors);
        std::optional<double> each;
        if (requests && sectors) each = *requests == 0 ? 0 : *sectors / *requests;
        table.rows.push_back({std::string(row.space), std::string(row.kind), cell(value(row.instructions)),
                              cell(requests), cell(value(row.wavefronts)), cell(sectors), cell(each),
                              cell(value(row.hit_rate))});
        is_known = is_known || value(row.instructions) || requests;
    }
    if (!is_known) table.rows.clear();
    return table;
}

}  // namespace sassafras::cli
