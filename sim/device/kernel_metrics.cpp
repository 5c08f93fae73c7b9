#include "sim/device/kernel_metrics.hpp"

#include <algorithm>

#include "isa/program/targets.hpp"
#include "isa/sass/fields.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/execute/special_registers.hpp"

namespace sassafras::sim {

std::uint64_t accesses_of_no_lane(const InstructionCounts& of, const MemorySite& site) {
    if (site.space != MemorySpace::shared && site.space != MemorySpace::global) return 0;
    const bool has_both =
        site.copies_to_shared && of.shared_wavefronts != 0;  // imported traces lack the copies' stores
    const std::uint64_t made = (of.shared_wavefronts + of.global_lines - of.replays) / (has_both ? 2 : 1);
    return of.inst_executed - std::min(made, of.inst_executed);
}

bool reads_of_lane(const isa::Instruction& instruction) {
    return instruction.opcode == isa::Opcode::S2R && special_register::is_of_lane(static_cast<std::uint32_t>(
                                                         instruction.word.get(isa::fields::special_register)));
}

namespace {

constexpr std::uint64_t sector_bytes = 32;  // what Nsight Compute calls a sector, on every GPU

/// Beside its accesses' passes through the banks, what of an instruction an H200 counts in
/// l1tex__data_pipe_lsu_wavefronts_mem_shared (the recorded kernels, validate/records/h200/measured/metrics.csv: with
/// one a barrier of a block, the sum is what the counter says of 630 of 850 launches; S2R: a block of one thread that
/// asks for none of it counts none, blocks of two dimensions that ask for both indices two a warp).
std::uint64_t other_wavefronts(const InstructionCounts& of, const isa::Instruction& instruction,
                               const MemorySite& site) {
    return instruction.opcode == isa::Opcode::SHFL || reads_of_lane(instruction) ? of.inst_executed
                                                                                 : accesses_of_no_lane(of, site);
}

}  // namespace

void count_instructions(MetricCounts& events, const isa::Program& program, const std::vector<InstructionCounts>& counts,
                        std::uint64_t warps_per_block) {
    constexpr MetricId wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"_metric;
    std::uint64_t at_barriers = 0;  // warps; all of a block are taken to pass each barrier
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const InstructionCounts& of = counts[i];
        events["smsp__inst_executed.sum"_metric] += of.inst_executed;
        events["smsp__thread_inst_executed.sum"_metric] += of.thread_inst_executed;
        events["memory_l1_wavefronts_shared"_metric] += of.shared_wavefronts;
        events["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"_metric] +=
            of.shared_wavefronts - of.shared_wavefronts_ideal;
        const isa::Opcode opcode = program.instructions[i].opcode;
        if (isa::ends_block(opcode)) events["smsp__inst_executed_op_branch.sum"_metric] += of.inst_executed;
        if (isa::is_branch(opcode)) {
            events["smsp__sass_branch_targets.sum"_metric] += of.inst_executed;
            events["smsp__sass_branch_targets_threads_divergent.sum"_metric] += of.partings;
        }
        const MemorySite site = memory_site(program.instructions[i]);
        events[wavefronts] += of.shared_wavefronts + other_wavefronts(of, program.instructions[i], site);
        if (opcode == isa::Opcode::BAR) at_barriers += of.inst_executed;
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
    events[wavefronts] += at_barriers / warps_per_block;
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
