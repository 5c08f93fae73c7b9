#include "sim/device/full_set/full_set.hpp"

namespace sassafras::sim {

void put_full_set(MetricSet& metrics, const EndedLaunch& ended) {
    put_launch_metrics(metrics, ended);
    put_instruction_metrics(metrics, ended);
    if (metrics.find("sm__cycles_elapsed.max"_metric).value_or(0) == 0) return;
    put_pipe_metrics(metrics, ended);
    put_scheduler_metrics(metrics, ended);
    put_memory_metrics(metrics, ended);
    put_l2_metrics(metrics, ended);
    put_memory_shares(metrics, ended);
}

}  // namespace sassafras::sim
