#include <algorithm>
#include <array>

#include "sim/device/full_set/full_set.hpp"
#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

namespace {

/// Of the instructions of a launch: cycles for which they take each unit of a sub-core, and how many there are.
struct UnitUse {
    std::array<double, unit_count> busy{}, instructions{};
    double through_lsu = 0;  ///< that the queue of the memory unit takes

    [[nodiscard]] double busy_of(Unit unit) const { return busy[static_cast<std::size_t>(unit)]; }
    [[nodiscard]] double count_of(Unit unit) const { return instructions[static_cast<std::size_t>(unit)]; }
};

bool goes_through_lsu(const TimingOp& op) {
    return op.unit == Unit::memory || op.action == Action::memory || op.action == Action::shuffle;
}

UnitUse use_of(const EndedLaunch& ended) {
    UnitUse use;
    const std::vector<TimingOp> ops = timing_ops(ended.program, ended.platform);
    for (std::size_t i = 0; i < ops.size() && i < ended.counts.size(); ++i) {
        const auto executed = static_cast<double>(ended.counts[i].inst_executed);
        const auto unit = static_cast<std::size_t>(ops[i].unit);
        use.instructions[unit] += executed;
        use.busy[unit] += executed * ops[i].interval;
        if (goes_through_lsu(ops[i])) use.through_lsu += executed;
    }
    return use;
}

}  // namespace

void put_pipe_metrics(MetricSet& metrics, const EndedLaunch& ended) {
    const UnitUse use = use_of(ended);
    const auto count = [&](MetricId id) { return metrics.find(id).value_or(0); };
    const double sms = ended.platform.gpu.sm_count;
    const double subcores = ended.platform.sm.subcores;
    const double sm_cycles = count("sm__cycles_elapsed.max"_metric) * sms;
    const double active = count("sm__cycles_active.sum"_metric);
    constexpr double percent = 100;
    const auto of_elapsed = [&](double cycles) { return sm_cycles == 0 ? 0 : percent * cycles / sm_cycles; };
    const auto of_active = [&](double cycles) { return active == 0 ? 0 : percent * cycles / active; };

    // Each in cycles of an SM. Whichever half of the pipe takes it, a multiply-add is one instruction of four a cycle.
    const double fma = (use.count_of(Unit::fma) + use.count_of(Unit::imad) + use.count_of(Unit::imad_wide)) / subcores;
    const double alu = use.busy_of(Unit::alu) / subcores;
    const double fp64 = use.busy_of(Unit::fp64) / subcores;
    const double xu = use.busy_of(Unit::xu) / subcores;
    const double adu = use.busy_of(Unit::adu) / subcores;
    const double cbu = use.busy_of(Unit::cbu) / subcores;
    const double uniform = use.busy_of(Unit::uniform) / subcores;
    const double half = use.busy_of(Unit::fp16) / subcores;
    const double tensor = use.busy_of(Unit::tensor) / subcores;
    const double lsu = use.through_lsu;

    metrics.put("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"_metric, of_active(alu));
    metrics.put("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(alu));
    metrics.put("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"_metric, of_active(fma));
    metrics.put("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(fma));
    metrics.put("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"_metric, of_active(fp64));
    metrics.put("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(fp64));
    metrics.put("sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"_metric, of_active(lsu));
    metrics.put("sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(lsu));
    metrics.put("sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_active"_metric, of_active(adu));
    metrics.put("sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(adu));
    metrics.put("sm__inst_executed_pipe_cbu.avg.pct_of_peak_sustained_active"_metric, of_active(cbu));
    metrics.put("sm__inst_executed_pipe_cbu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(cbu));
    metrics.put("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"_metric, of_active(xu));
    metrics.put("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(xu));
    metrics.put("sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_active"_metric, of_active(uniform));
    metrics.put("sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(uniform));
    metrics.put("sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active"_metric, of_active(tensor));
    metrics.put("sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(tensor));
    metrics.put("sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active"_metric, of_active(alu));
    metrics.put("sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"_metric, of_active(fma));
    metrics.put("sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active"_metric, of_active(fp64));
    metrics.put("sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(fp64 + tensor));

    const double executed = count("smsp__inst_executed.sum"_metric);
    const double issued = count("smsp__inst_issued.sum"_metric);
    const double issue_cycles = issued / subcores;
    if (sm_cycles > 0) metrics.put("sm__inst_executed.avg.per_cycle_elapsed"_metric, executed / sm_cycles);
    if (active > 0) metrics.put("sm__inst_issued.avg.per_cycle_active"_metric, issued / active);
    metrics.put("sm__inst_executed.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(executed / subcores));
    metrics.put("sm__inst_issued.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(issue_cycles));
    metrics.put("sm__issue_active.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(issue_cycles));
    const double busiest = std::max({issue_cycles, alu, fma, half, fp64, xu, adu, cbu, uniform, tensor});
    metrics.put("sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(busiest));
    metrics.put("sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(lsu));
    metrics.put("sm__throughput.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(std::max(busiest, lsu)));
    metrics.put("l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(lsu));
}

}  // namespace sassafras::sim
