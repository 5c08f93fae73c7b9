#include "sim/device/kernel_metrics.hpp"

#include "sim/access/memory_site.hpp"

namespace sassafras::sim {

std::vector<std::pair<std::string, double>> counted_metrics(const isa::Program& program,
                                                            const std::vector<InstructionCounts>& counts) {
    InstructionCounts sum;
    std::uint64_t load_sectors = 0;
    std::uint64_t store_sectors = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        sum.inst_executed += counts[i].inst_executed;
        sum.thread_inst_executed += counts[i].thread_inst_executed;
        sum.shared_wavefronts += counts[i].shared_wavefronts;
        sum.shared_wavefronts_ideal += counts[i].shared_wavefronts_ideal;
        const MemorySite site = memory_site(program.instructions[i]);
        if (site.kind == SharedAccessKind::load) load_sectors += counts[i].global_sectors;
        if (site.kind == SharedAccessKind::store) store_sectors += counts[i].global_sectors;
    }
    const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
    return {{"smsp__inst_executed.sum", number(sum.inst_executed)},
            {"smsp__thread_inst_executed.sum", number(sum.thread_inst_executed)},
            {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", number(sum.shared_wavefronts)},
            {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
             number(sum.shared_wavefronts - sum.shared_wavefronts_ideal)},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", number(load_sectors)},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", number(store_sectors)}};
}

std::vector<SourceRow> source_rows(const isa::Program& program, const std::vector<InstructionCounts>& counts) {
    std::vector<SourceRow> rows(counts.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].pc = i * isa::instruction_bytes;
        rows[i].sass = isa::print(program.instructions[i], rows[i].pc);
        rows[i].inst_executed = counts[i].inst_executed;
        rows[i].thread_inst_executed = counts[i].thread_inst_executed;
        rows[i].shared_wavefronts = counts[i].shared_wavefronts;
        rows[i].shared_wavefronts_ideal = counts[i].shared_wavefronts_ideal;
        rows[i].global_sectors = counts[i].global_sectors;
    }
    return rows;
}

}  // namespace sassafras::sim
