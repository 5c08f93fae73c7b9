#include "sim/device/utilisation.hpp"

#include <algorithm>
#include <array>

#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

namespace {

/// Cycles for which the instructions of a launch take each unit of a sub-core, summed over the sub-cores. HFMA2.MMA
/// waits for FP64's, but an H200 counts it as matrix instructions (validate/records/h200/full:
/// sm__pipe_tensor_cycles_active of kernels that have nothing else for it).
std::array<double, unit_count> busy_cycles(const isa::Program& program, const TimingResult& timing,
                                           const Platform& platform) {
    std::array<double, unit_count> busy{};
    const std::vector<TimingOp> ops = timing_ops(program, platform);
    for (std::size_t i = 0; i < ops.size() && i < timing.instructions.size(); ++i) {
        const bool matrix = program.instructions[i].opcode == isa::Opcode::HFMA2_MMA;
        const Unit unit = matrix ? Unit::tensor : ops[i].unit;
        busy[static_cast<std::size_t>(unit)] +=
            static_cast<double>(timing.instructions[i].inst_executed) * ops[i].interval;
    }
    return busy;
}

}  // namespace

void put_utilisation(MetricSet& metrics, const isa::Program& program, const TimingResult& timing,
                     const Platform& platform) {
    const auto cycles = static_cast<double>(timing.cycles.count);
    const double sm_cycles = cycles * platform.gpu.sm_count;
    if (sm_cycles == 0) return;
    constexpr double percent = 100;
    const double subcore_cycles = sm_cycles * platform.sm.subcores;
    const auto busy = busy_cycles(program, timing, platform);
    const auto of_subcores = [&](Unit unit) { return percent * busy[static_cast<std::size_t>(unit)] / subcore_cycles; };
    const auto count = [&](MetricId id) { return metrics.find(id).value_or(0); };

    // Integer multiply-adds are issued to one half of the same pipe, others to either (validate/records/h200/full:
    // kernels of the one and of the other).
    const double in_one_half = of_subcores(Unit::imad) + of_subcores(Unit::imad_wide);
    metrics.put("sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric,
                of_subcores(Unit::fma) + in_one_half / 2);
    metrics.put("model__fma_busier_half.avg.pct_of_peak_sustained_elapsed"_metric,
                of_subcores(Unit::fma) + in_one_half);
    metrics.put("sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric, of_subcores(Unit::alu));
    metrics.put("sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric, of_subcores(Unit::fp64));
    metrics.put("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric, of_subcores(Unit::tensor));
    metrics.put("sm__pipe_xu_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric, of_subcores(Unit::xu));

    metrics.put(
        "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"_metric,
        percent * count("memory_l1_wavefronts_shared"_metric) * platform.lsu.wavefront_interval_cycles / sm_cycles);
    double lines = 0;
    for (const InstructionCounts& instruction : timing.instructions)
        lines += static_cast<double>(instruction.global_lines);
    metrics.put("model__l1_lines.avg.pct_of_peak_sustained_elapsed"_metric,
                percent * lines / platform.lsu.tags_per_cycle / sm_cycles);
    const double sectors = count("lts__t_sectors_srcunit_tex.sum"_metric);
    metrics.put("model__l2_slices.avg.pct_of_peak_sustained_elapsed"_metric,
                percent * sectors * platform.lsu.sector_bytes /
                    (cycles * platform.l2.slices * platform.l2.slice_bytes_per_cycle));
}

}  // namespace sassafras::sim
