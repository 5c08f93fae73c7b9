#include "sim/device/kernel_metrics.hpp"

#include "isa/program/targets.hpp"
#include "sim/access/memory_site.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint64_t sector_bytes = 32;  // what Nsight Compute calls a sector, on every GPU

}  // namespace

void count_instructions(MetricCounts& events, const isa::Program& program,
                        const std::vector<InstructionCounts>& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const InstructionCounts& of = counts[i];
        events["smsp__inst_executed.sum"_metric] += of.inst_executed;
        events["smsp__thread_inst_executed.sum"_metric] += of.thread_inst_executed;
        events["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"_metric] += of.shared_wavefronts;
        events["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"_metric] +=
            of.shared_wavefronts - of.shared_wavefronts_ideal;
        const isa::Opcode opcode = program.instructions[i].opcode;
        if (isa::ends_block(opcode)) events["smsp__inst_executed_op_branch.sum"_metric] += of.inst_executed;
        if (isa::is_branch(opcode)) {
            events["smsp__sass_branch_targets.sum"_metric] += of.inst_executed;
            events["smsp__sass_branch_targets_threads_divergent.sum"_metric] += of.partings;
        }
        const MemorySite site = memory_site(program.instructions[i]);
        const bool is_shared = site.space == MemorySpace::shared;
        const std::uint64_t requested = of.global_lanes * site.width;
        if (site.kind == SharedAccessKind::load) {
            events["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"_metric] += of.global_sectors;
            events["l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum"_metric] += of.global_sectors * sector_bytes;
            events["smsp__sass_data_bytes_mem_global_op_ld.sum"_metric] += requested;
            if (is_shared) events["smsp__inst_executed_op_shared_ld.sum"_metric] += of.inst_executed;
        }
        if (site.kind == SharedAccessKind::store) {
            events["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"_metric] += of.global_sectors;
            events["l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum"_metric] += of.global_sectors * sector_bytes;
            events["smsp__sass_data_bytes_mem_global_op_st.sum"_metric] += requested;
            if (is_shared) events["smsp__inst_executed_op_shared_st.sum"_metric] += of.inst_executed;
        }
    }
}

std::vector<SourceRow> source_rows(const isa::Program& program, const std::vector<InstructionCounts>& counts) {
    std::vector<SourceRow> rows(counts.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].pc = i * isa::instruction_bytes;
        rows[i].instruction = program.instructions[i];
        rows[i].inst_executed = counts[i].inst_executed;
        rows[i].thread_inst_executed = counts[i].thread_inst_executed;
        rows[i].shared_wavefronts = counts[i].shared_wavefronts;
        rows[i].shared_wavefronts_ideal = counts[i].shared_wavefronts_ideal;
        rows[i].global_sectors = counts[i].global_sectors;
        rows[i].global_bytes = counts[i].global_lanes * memory_site(program.instructions[i]).width;
        rows[i].local_sectors = counts[i].local_sectors;
    }
    return rows;
}

}  // namespace sassafras::sim
