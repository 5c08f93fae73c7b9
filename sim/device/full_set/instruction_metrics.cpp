#include <array>

#include "sim/access/memory_site.hpp"
#include "sim/device/full_set/full_set.hpp"
#include "sim/device/kernel_metrics.hpp"

namespace sassafras::sim {

namespace {

/// Of loads and of stores in one space. Atomic operations are neither.
struct Accesses {
    double loads = 0, stores = 0;
};

struct InstructionSums {
    double executed = 0, threads = 0;
    Accesses global, local, shared;
    Accesses wavefronts, conflicts;  ///< of shared memory
    double ideal = 0;                ///< wavefronts of all of shared memory's accesses
    double global_sectors = 0, local_sectors = 0;
};

InstructionSums sums_of(const EndedLaunch& ended) {
    InstructionSums sums;
    for (std::size_t i = 0; i < ended.counts.size() && i < ended.program.instructions.size(); ++i) {
        const InstructionCounts& of = ended.counts[i];
        const auto executed = static_cast<double>(of.inst_executed);
        sums.executed += executed;
        sums.threads += static_cast<double>(of.thread_inst_executed);
        sums.ideal += static_cast<double>(of.shared_wavefronts_ideal);
        sums.global_sectors += static_cast<double>(of.global_sectors);
        sums.local_sectors += static_cast<double>(of.local_sectors);
        const MemorySite site = memory_site(ended.program.instructions[i]);
        const bool loads = site.kind == SharedAccessKind::load;
        if (!loads && site.kind != SharedAccessKind::store) continue;
        const auto add = [&](Accesses& to, double value) { (loads ? to.loads : to.stores) += value; };
        // Nsight Compute counts those of loads and stores that some lane makes.
        const double made = executed - static_cast<double>(accesses_of_no_lane(of, site));
        if (site.space == MemorySpace::global) add(sums.global, made);
        if (site.space == MemorySpace::local) add(sums.local, executed);
        if (site.space != MemorySpace::shared) continue;
        add(sums.shared, made);
        add(sums.wavefronts, static_cast<double>(of.shared_wavefronts));
        add(sums.conflicts, static_cast<double>(of.shared_wavefronts - of.shared_wavefronts_ideal));
    }
    return sums;
}

}  // namespace

void put_instruction_metrics(MetricSet& metrics, const EndedLaunch& ended) {
    const InstructionSums sums = sums_of(ended);
    const auto count = [&](MetricId id) { return metrics.find(id).value_or(0); };
    const double subcores = double{1} * ended.platform.gpu.sm_count * ended.platform.sm.subcores;

    metrics.put("inst_executed"_metric, sums.executed);
    metrics.put("thread_inst_executed"_metric, sums.threads);
    metrics.put("smsp__inst_executed.avg"_metric, sums.executed / subcores);
    if (const auto issued = metrics.find("smsp__inst_issued.sum"_metric))
        metrics.put("smsp__inst_issued.avg"_metric, *issued / subcores);
    if (sums.executed > 0) {
        metrics.put("smsp__thread_inst_executed_per_inst_executed.ratio"_metric, sums.threads / sums.executed);
        metrics.put("derived__smsp__inst_executed_op_branch_pct"_metric,
                    count("smsp__inst_executed_op_branch.sum"_metric) / sums.executed);
    }

    metrics.put("sass__inst_executed_global_loads"_metric, sums.global.loads);
    metrics.put("sass__inst_executed_global_stores"_metric, sums.global.stores);
    metrics.put("sass__inst_executed_local_loads"_metric, sums.local.loads);
    metrics.put("sass__inst_executed_local_stores"_metric, sums.local.stores);
    metrics.put("sass__inst_executed_shared_loads"_metric, sums.shared.loads);
    metrics.put("sass__inst_executed_shared_stores"_metric, sums.shared.stores);
    metrics.put("smsp__sass_inst_executed_op_global_ld.sum"_metric, sums.global.loads);
    metrics.put("smsp__sass_inst_executed_op_global_st.sum"_metric, sums.global.stores);
    metrics.put("smsp__sass_inst_executed_op_local_ld.sum"_metric, sums.local.loads);
    metrics.put("smsp__sass_inst_executed_op_local_st.sum"_metric, sums.local.stores);
    metrics.put("smsp__sass_inst_executed_op_shared.sum"_metric, sums.shared.loads + sums.shared.stores);
    metrics.put("smsp__sass_inst_executed_op_shared_ld.sum"_metric, sums.shared.loads);
    metrics.put("smsp__sass_inst_executed_op_shared_st.sum"_metric, sums.shared.stores);

    const double divergent = count("smsp__sass_branch_targets_threads_divergent.sum"_metric);
    const double targets = count("smsp__sass_branch_targets.sum"_metric);
    metrics.put("smsp__inst_executed_op_branch.avg"_metric,
                count("smsp__inst_executed_op_branch.sum"_metric) / subcores);
    metrics.put("smsp__branch_targets_threads_divergent"_metric, divergent);
    metrics.put("smsp__sass_branch_targets_threads_divergent.avg"_metric, divergent / subcores);
    metrics.put("smsp__sass_average_branch_targets_threads_uniform.pct"_metric,
                targets == 0 ? 0 : 100 * (targets - divergent) / targets);

    metrics.put("memory_l1_wavefronts_shared_ideal"_metric, sums.ideal);
    metrics.put("derived__memory_l1_wavefronts_shared_excessive"_metric,
                count("memory_l1_wavefronts_shared"_metric) - sums.ideal);
    metrics.put("memory_l2_theoretical_sectors_global"_metric, sums.global_sectors);
    metrics.put("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"_metric, sums.wavefronts.loads);
    metrics.put("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"_metric, sums.wavefronts.stores);
    metrics.put("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"_metric, sums.conflicts.loads);
    metrics.put("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"_metric, sums.conflicts.stores);
    if (metrics.find("sm__cycles_elapsed.max"_metric))  // local memory is modelled with time only
        metrics.put("memory_l2_theoretical_sectors_local"_metric, sums.local_sectors);
}

}  // namespace sassafras::sim
