#include "sim/device/full_set/full_set.hpp"

namespace sassafras::sim {

void put_scheduler_metrics(MetricSet& metrics, const EndedLaunch& ended) {
    const auto count = [&](MetricId id) { return metrics.find(id).value_or(0); };
    const double sms = ended.platform.gpu.sm_count;
    const double subcores = ended.platform.sm.subcores;
    const double elapsed = count("sm__cycles_elapsed.max"_metric);
    const double active = count("sm__cycles_active.sum"_metric);
    const auto subcores_active = static_cast<double>(ended.subcore_cycles_active);
    const double issued = count("smsp__inst_issued.sum"_metric);
    const double executed = count("smsp__inst_executed.sum"_metric);
    const double warps = count("sm__warps_active.sum"_metric);
    const double resident = count("sm__maximum_warps_avg_per_active_cycle"_metric);
    const double eligible = count(stall_cycles(Stall::selected)) + count(stall_cycles(Stall::not_selected));
    const double hertz = ended.platform.clock.sm_mhz * 1e6;
    constexpr double percent = 100;

    if (active > 0) metrics.put("sm__warps_active.avg.per_cycle_active"_metric, warps / active);
    if (subcores_active > 0) {
        const double issues = issued / subcores_active;
        metrics.put("smsp__issue_active.avg.per_cycle_active"_metric, issues);
        metrics.put("smsp__issue_active.avg.pct_of_peak_sustained_active"_metric, percent * issues);
        metrics.put("smsp__issue_inst0.avg.pct_of_peak_sustained_active"_metric, percent * (1 - issues));
        metrics.put("smsp__warps_active.avg.per_cycle_active"_metric, warps / subcores_active);
        metrics.put("smsp__warps_eligible.avg.per_cycle_active"_metric, eligible / subcores_active);
    }
    metrics.put("smsp__warps_active.avg.peak_sustained"_metric, ended.platform.sm.max_warps / subcores);
    metrics.put("smsp__maximum_warps_avg_per_active_cycle"_metric, resident / subcores);
    if (issued > 0) metrics.put("smsp__average_warp_latency_per_inst_issued.ratio"_metric, warps / issued);
    if (executed > 0) metrics.put("smsp__average_warps_active_per_inst_executed.ratio"_metric, warps / executed);

    metrics.put("smsp__cycles_active.avg"_metric, subcores_active / (sms * subcores));
    metrics.put("smsp__cycles_active.sum"_metric, subcores_active);
    metrics.put("l1tex__cycles_active.avg"_metric, active / sms);
    metrics.put("l1tex__cycles_active.sum"_metric, active);
    for (const MetricId one :
         {"sm__cycles_elapsed.avg"_metric, "smsp__cycles_elapsed.avg"_metric, "l1tex__cycles_elapsed.avg"_metric,
          "gpc__cycles_elapsed.avg"_metric, "gpc__cycles_elapsed.max"_metric})
        metrics.put(one, elapsed);
    metrics.put("sm__cycles_elapsed.sum"_metric, elapsed * sms);
    metrics.put("l1tex__cycles_elapsed.sum"_metric, elapsed * sms);
    metrics.put("smsp__cycles_elapsed.sum"_metric, elapsed * sms * subcores);
    for (const MetricId clock :
         {"sm__cycles_elapsed.avg.per_second"_metric, "smsp__cycles_elapsed.avg.per_second"_metric,
          "l1tex__cycles_elapsed.avg.per_second"_metric, "gpc__cycles_elapsed.avg.per_second"_metric})
        metrics.put(clock, hertz);
    metrics.put("gpu__time_duration.avg"_metric, count("gpu__time_duration.sum"_metric));
}

}  // namespace sassafras::sim
