#include "sim/access/memory_site.hpp"
#include "sim/device/full_set/full_set.hpp"

namespace sassafras::sim {

namespace {

/// Of local memory: requests and their sectors.
struct LocalAccesses {
    double loads = 0, stores = 0, load_sectors = 0, store_sectors = 0;
};

LocalAccesses local_accesses(const EndedLaunch& ended) {
    LocalAccesses sums;
    for (std::size_t i = 0; i < ended.counts.size() && i < ended.program.instructions.size(); ++i) {
        const MemorySite site = memory_site(ended.program.instructions[i]);
        if (site.space != MemorySpace::local) continue;
        const bool loads = site.kind == SharedAccessKind::load;
        (loads ? sums.loads : sums.stores) += static_cast<double>(ended.counts[i].inst_executed);
        (loads ? sums.load_sectors : sums.store_sectors) += static_cast<double>(ended.counts[i].local_sectors);
    }
    return sums;
}

double percent_of(double part, double whole) {
    constexpr double percent = 100;
    return whole == 0 ? 0 : percent * part / whole;
}

}  // namespace

void put_memory_metrics(MetricSet& metrics, const EndedLaunch& ended) {
    const auto count = [&](MetricId id) { return metrics.find(id).value_or(0); };
    const Platform& platform = ended.platform;
    const double sm_cycles = count("sm__cycles_elapsed.max"_metric) * platform.gpu.sm_count;
    const double seconds = count("gpu__time_duration.sum"_metric) * 1e-9;
    const double sector = platform.lsu.sector_bytes;

    const LocalAccesses local = local_accesses(ended);
    metrics.put("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum"_metric, local.loads);
    metrics.put("l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"_metric, local.stores);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"_metric, local.load_sectors);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"_metric, local.store_sectors);

    const double stored = count("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"_metric);
    const double stored_hit = count("l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum"_metric);
    const double loaded_hit = count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"_metric);
    const double loaded_miss = count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum"_metric);
    const double local_hit = count("l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"_metric);
    const double local_miss = count("l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum"_metric);
    const double spilt_hit = count("l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum"_metric);
    const double spilt_miss = count("l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum"_metric);
    metrics.put("l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_miss.sum"_metric, stored - stored_hit);
    metrics.put("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct"_metric,
                percent_of(loaded_hit, loaded_hit + loaded_miss));
    metrics.put("l1tex__t_sector_pipe_lsu_mem_global_op_st_hit_rate.pct"_metric, percent_of(stored_hit, stored));
    metrics.put("l1tex__t_sector_pipe_lsu_mem_local_op_ld_hit_rate.pct"_metric,
                percent_of(local_hit, local_hit + local_miss));
    metrics.put("l1tex__t_sector_pipe_lsu_mem_local_op_st_hit_rate.pct"_metric,
                percent_of(spilt_hit, spilt_hit + spilt_miss));

    metrics.put("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum.pct_of_peak_sustained_elapsed"_metric,
                percent_of(count("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"_metric), sm_cycles));
    metrics.put("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum.pct_of_peak_sustained_elapsed"_metric,
                percent_of(count("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"_metric), sm_cycles));
    metrics.put("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed"_metric,
                percent_of(count("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"_metric), sm_cycles));

    const double brought = loaded_miss + local_miss;
    metrics.put("l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum"_metric, brought);
    metrics.put("l1tex__m_xbar2l1tex_read_bytes.sum"_metric, brought * sector);

    const double read = count("dram__bytes_read.sum"_metric);
    const double moved = read + count("dram__bytes_write.sum"_metric);
    metrics.put("dram__sectors_read.sum"_metric, read / sector);
    if (seconds <= 0) return;
    const double peak = platform.dram.bandwidth_gb_per_s * 1e9 * seconds;
    metrics.put("l1tex__m_xbar2l1tex_read_bytes.sum.per_second"_metric, brought * sector / seconds);
    metrics.put("dram__bytes.sum.per_second"_metric, moved / seconds);
    metrics.put("dram__bytes_read.sum.per_second"_metric, read / seconds);
    metrics.put("dram__bytes_read.sum.pct_of_peak_sustained_elapsed"_metric, percent_of(read, peak));
    metrics.put("dram__cycles_active.avg.pct_of_peak_sustained_elapsed"_metric, percent_of(moved, peak));
    metrics.put("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"_metric, percent_of(moved, peak));
}

}  // namespace sassafras::sim
