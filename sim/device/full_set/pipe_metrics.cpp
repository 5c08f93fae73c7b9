#include <algorithm>
#include <vector>

#include "sim/access/memory_site.hpp"
#include "sim/device/full_set/full_set.hpp"
#include "sim/device/kernel_metrics.hpp"
#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

namespace {

/// Which of an SM's pipes Nsight Compute counts an instruction for, and the cycles of an SM that each takes at its
/// peak. What is counted where: validate/records/h200/full, percentages times cycles beside the recorded kernels'
/// instructions.
struct PipeUse {
    double fma = 0, fma_cycles = 0, alu = 0, half = 0, fp64 = 0, xu = 0, adu = 0, cbu = 0, uniform = 0, hmma = 0,
           lsu = 0;
};

/// How often an instruction is counted for the address divergence unit: not where the memory unit reads a thread's
/// index, and a warp's end as two, but not an EXIT that not all lanes may take. (Over the 70 launches: without that 34
/// are within 5 %, with it 51; single warps of few instructions show it best.)
std::uint32_t times_in_adu(const isa::Instruction& instruction) {
    switch (instruction.opcode) {
        case isa::Opcode::LDC:
        case isa::Opcode::BAR: return 1;
        case isa::Opcode::S2R:
        case isa::Opcode::S2UR: return reads_of_lane(instruction) ? 0 : 1;
        case isa::Opcode::EXIT: return instruction.guard.always() ? 2 : 0;
        default: return 0;
    }
}

/// Branches have a counter of their own.
bool in_cbu(isa::Opcode opcode) {
    return opcode == isa::Opcode::BSSY || opcode == isa::Opcode::BSYNC || opcode == isa::Opcode::EXIT ||
           opcode == isa::Opcode::WARPSYNC || opcode == isa::Opcode::BREAK;
}

bool in_lsu(const isa::Instruction& instruction) {
    return memory_site(instruction).space != MemorySpace::none || instruction.opcode == isa::Opcode::SHFL ||
           reads_of_lane(instruction);
}

PipeUse use_of(const EndedLaunch& ended) {
    PipeUse use;
    const std::vector<TimingOp> ops = timing_ops(ended.program, ended.platform);
    const double subcores = ended.platform.sm.subcores;
    for (std::size_t i = 0; i < ops.size() && i < ended.counts.size(); ++i) {
        const isa::Instruction& instruction = ended.program.instructions[i];
        const auto executed = static_cast<double>(ended.counts[i].inst_executed);
        const double in_subcores = executed / subcores;
        const double busy = in_subcores * ops[i].interval;
        use.adu += executed * times_in_adu(instruction) * ended.platform.pipes.adu.issue_interval_cycles;  // one an SM
        if (in_cbu(instruction.opcode)) use.cbu += in_subcores;
        if (in_lsu(instruction)) use.lsu += executed;
        switch (ops[i].unit) {
            case Unit::fma:
                use.fma += in_subcores;
                use.fma_cycles += busy;
                break;
            case Unit::imad:
            case Unit::imad_wide:  // in one half of the pipe only
                use.fma += in_subcores;
                use.fma_cycles += busy / 2;
                break;
            case Unit::alu: use.alu += busy; break;
            case Unit::fp16: use.half += busy; break;
            case Unit::xu: use.xu += busy; break;
            case Unit::tensor: use.hmma += busy; break;
            case Unit::fp64:  // HFMA2.MMA is counted with matrix instructions
                (instruction.opcode == isa::Opcode::HFMA2_MMA ? use.hmma : use.fp64) += busy;
                break;
            case Unit::uniform:
                if (instruction.opcode != isa::Opcode::UMOV) use.uniform += busy;
                break;
            default: break;
        }
    }
    return use;
}

}  // namespace

void put_pipe_metrics(MetricSet& metrics, const EndedLaunch& ended) {
    const PipeUse use = use_of(ended);
    const auto count = [&](MetricId id) { return metrics.find(id).value_or(0); };
    const double sms = ended.platform.gpu.sm_count;
    const double subcores = ended.platform.sm.subcores;
    const double sm_cycles = count("sm__cycles_elapsed.max"_metric) * sms;
    const double active = count("sm__cycles_active.sum"_metric);
    constexpr double percent = 100;
    const auto of_elapsed = [&](double cycles) { return sm_cycles == 0 ? 0 : percent * cycles / sm_cycles; };
    const auto of_active = [&](double cycles) { return active == 0 ? 0 : percent * cycles / active; };

    metrics.put("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"_metric, of_active(use.alu));
    metrics.put("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.alu));
    metrics.put("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"_metric, of_active(use.fma));
    metrics.put("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.fma));
    metrics.put("sm__inst_executed_pipe_fma_type_fp16.avg.pct_of_peak_sustained_active"_metric, of_active(use.half));
    metrics.put("sm__inst_executed_pipe_fma_type_fp16.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.half));
    metrics.put("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"_metric, of_active(use.fp64));
    metrics.put("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.fp64));
    metrics.put("sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"_metric, of_active(use.lsu));
    metrics.put("sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.lsu));
    metrics.put("sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_active"_metric, of_active(use.adu));
    metrics.put("sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.adu));
    metrics.put("sm__inst_executed_pipe_cbu.avg.pct_of_peak_sustained_active"_metric, of_active(use.cbu));
    metrics.put("sm__inst_executed_pipe_cbu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.cbu));
    metrics.put("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"_metric, of_active(use.xu));
    metrics.put("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.xu));
    metrics.put("sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_active"_metric, of_active(use.uniform));
    metrics.put("sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.uniform));
    metrics.put("sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active"_metric, of_active(use.hmma));
    metrics.put("sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.hmma));
    metrics.put("sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active"_metric, of_active(use.alu));
    metrics.put("sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"_metric, of_active(use.fma_cycles));
    metrics.put("sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active"_metric, of_active(use.fp64));
    metrics.put("sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric,
                of_elapsed(use.fp64 + use.hmma));

    const double executed = count("smsp__inst_executed.sum"_metric);
    const double issued = count("smsp__inst_issued.sum"_metric);
    const double issue_cycles = issued / subcores;
    if (sm_cycles > 0) metrics.put("sm__inst_executed.avg.per_cycle_elapsed"_metric, executed / sm_cycles);
    if (active > 0) metrics.put("sm__inst_issued.avg.per_cycle_active"_metric, issued / active);
    metrics.put("sm__inst_executed.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(executed / subcores));
    metrics.put("sm__inst_issued.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(issue_cycles));
    metrics.put("sm__issue_active.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(issue_cycles));
    const double busiest =
        std::max({issue_cycles, use.alu, use.fma_cycles, use.half, use.fp64, use.xu, use.uniform, use.hmma});
    // Kernels of many barriers or constants by address have the latter, others the former.
    const double memory = std::max(use.lsu, use.adu);
    metrics.put("sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(busiest));
    metrics.put("sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(memory));
    metrics.put("sm__throughput.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(std::max(busiest, memory)));
    metrics.put("l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed"_metric, of_elapsed(use.lsu));
}

}  // namespace sassafras::sim
