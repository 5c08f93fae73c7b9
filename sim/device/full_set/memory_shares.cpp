// What the levels of memory had to do, as shares of their peaks. Which counts Nsight Compute takes the greatest of, and
// what it divides by, is read from the breakdowns of 70 launches on an H200 (validate/records/h200/full).
#include <algorithm>

#include "sim/device/full_set/full_set.hpp"
#include "sim/device/traffic_shares.hpp"

namespace sassafras::sim {

namespace {

/// By a slice, in a cycle of L2's clock.
constexpr double sectors_looked_up = 3;

}  // namespace

void put_memory_shares(MetricSet& metrics, const EndedLaunch& ended) {
    const auto count = [&](MetricId id) { return metrics.find(id).value_or(0); };
    const double cycles = count("sm__cycles_elapsed.max"_metric);
    const double sm_cycles = cycles * ended.platform.gpu.sm_count;
    const auto percent = [&](auto busy) { return 100 * static_cast<double>(busy) / sm_cycles; };
    const L1Traffic& l1 = ended.l1_traffic;
    const double data = percent(l1.wavefronts * ended.platform.lsu.wavefront_interval_cycles) +
                        percent(count("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"_metric));
    // In the model what loads ask for and what is stored leave side by side: together they may take longer than there
    // is.
    const double to_crossbar = std::min(100.0, percent(l1.line_requests + l1.store_cycles));
    const double throughput =
        std::max({data, to_crossbar, count("l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed"_metric)});
    metrics.put("l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"_metric, data);
    metrics.put("model__l1_to_l2.avg.pct_of_peak_sustained_elapsed"_metric, to_crossbar);
    metrics.put("l1tex__throughput.avg.pct_of_peak_sustained_elapsed"_metric, throughput);
    const double active = count("sm__cycles_active.sum"_metric);
    metrics.put("l1tex__throughput.avg.pct_of_peak_sustained_active"_metric,
                active == 0 ? 0 : throughput * sm_cycles / active);

    // Each slice that a sector passes through looks it up.
    const double sectors = count("lts__t_sectors_op_read.sum"_metric) + count("lts__t_sectors_op_write.sum"_metric) +
                           count("lts__t_sectors_op_red.sum"_metric) + count("lts__t_sectors_op_atom.sum"_metric);
    const double slice_cycles = cycles * ended.platform.l2.clock_share * ended.platform.l2.slices;
    const double looked_up = 100 * sectors / sectors_looked_up / slice_cycles;
    const L2Shares l2 = shares_of_l2(ended.l2_traffic, cycles, ended.platform);
    metrics.put("model__l2_sectors.avg.pct_of_peak_sustained_elapsed"_metric, looked_up);
    metrics.put("model__l2_from_crossbar.avg.pct_of_peak_sustained_elapsed"_metric, 100 * l2.from_crossbar);
    metrics.put("model__l2_to_crossbar.avg.pct_of_peak_sustained_elapsed"_metric, 100 * l2.to_crossbar);
    metrics.put("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"_metric,
                std::max({throughput, looked_up, 100 * l2.from_crossbar, 100 * l2.to_crossbar,
                          count("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"_metric)}));
}

}  // namespace sassafras::sim
