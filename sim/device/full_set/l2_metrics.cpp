#include "isa/sass/instruction.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/device/full_set/full_set.hpp"

namespace sassafras::sim {

namespace {

/// Instructions, and the sectors of global memory that they touch.
struct Touches {
    double instructions = 0, sectors = 0;

    void add(const InstructionCounts& of) {
        instructions += static_cast<double>(of.inst_executed);
        sectors += static_cast<double>(of.global_sectors);
    }
};

struct AtomicSums {
    Touches reductions, atomics, shared, copies, matrices;
    double tag_requests = 0;
};

AtomicSums atomic_sums(const EndedLaunch& ended) {
    AtomicSums sums;
    for (std::size_t i = 0; i < ended.counts.size() && i < ended.program.instructions.size(); ++i) {
        const InstructionCounts& of = ended.counts[i];
        sums.tag_requests += static_cast<double>(of.global_lines);
        switch (ended.program.instructions[i].opcode) {
            case isa::Opcode::RED: sums.reductions.add(of); break;
            case isa::Opcode::ATOM:
            case isa::Opcode::ATOMG: sums.atomics.add(of); break;
            case isa::Opcode::ATOMS: sums.shared.add(of); break;
            case isa::Opcode::LDGSTS: sums.copies.add(of); break;
            case isa::Opcode::LDSM: sums.matrices.add(of); break;
            default: break;
        }
    }
    return sums;
}

}  // namespace

void put_l2_metrics(MetricSet& metrics, const EndedLaunch& ended) {
    const auto count = [&](MetricId id) { return metrics.find(id).value_or(0); };
    const auto put = [&](MetricId id, auto value) { metrics.put(id, static_cast<double>(value)); };
    const L2Traffic& l2 = ended.l2_traffic;
    const auto all = [&](std::uint64_t L2Accesses::*what) {
        return l2.reads.*what + l2.writes.*what + l2.reductions.*what + l2.atomics.*what;
    };
    put("lts__t_requests_srcunit_tex.sum"_metric, all(&L2Accesses::requests));
    put("lts__t_requests_srcunit_tex_op_read.sum"_metric, l2.reads.requests);
    put("lts__t_requests_srcunit_tex_op_write.sum"_metric, l2.writes.requests);
    put("lts__t_requests_srcunit_tex_op_red.sum"_metric, l2.reductions.requests);
    put("lts__t_sectors_srcunit_tex_op_read.sum"_metric, l2.reads.sectors);
    put("lts__t_sectors_srcunit_tex_op_write.sum"_metric, l2.writes.sectors);
    put("lts__t_sectors_srcunit_tex_op_red.sum"_metric, l2.reductions.sectors);
    put("lts__t_sectors_srcunit_tex_op_atom.sum"_metric, l2.atomics.sectors);
    put("lts__t_sectors_srcunit_tex_lookup_miss.sum"_metric, l2.brought);
    put("lts__t_sectors_srcunit_tex_lookup_hit.sum"_metric, all(&L2Accesses::sectors) - l2.read_misses);
    put("lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum"_metric, l2.brought);
    put("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"_metric, l2.reads.sectors - l2.read_misses);
    put("lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum"_metric, l2.writes.sectors);

    const double sector = ended.platform.lsu.sector_bytes;
    const double brought = sector * static_cast<double>(all(&L2Accesses::sectors) - l2.reads.sectors);
    put("l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum"_metric, l2.writes.sectors);
    put("l1tex__m_l1tex2xbar_write_bytes.sum"_metric, brought);

    const AtomicSums sums = atomic_sums(ended);
    put("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"_metric, sums.reductions.instructions);
    put("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"_metric, sums.atomics.instructions);
    put("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"_metric, sums.reductions.sectors);
    put("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"_metric, sums.atomics.sectors);
    put("smsp__inst_executed_op_global_red.sum"_metric, sums.reductions.instructions);
    put("smsp__inst_executed_op_shared_atom.sum"_metric, sums.shared.instructions);
    put("smsp__inst_executed_op_ldgsts.sum"_metric, sums.copies.instructions);
    put("smsp__inst_executed_op_ldsm.sum"_metric, sums.matrices.instructions);
    put("memory_l1_tag_requests_global"_metric, sums.tag_requests);

    const double written = count("dram__bytes_write.sum"_metric);
    const double seconds = count("gpu__time_duration.sum"_metric) * 1e-9;
    put("dram__sectors_write.sum"_metric, written / sector);
    if (seconds <= 0) return;
    put("l1tex__m_l1tex2xbar_write_bytes.sum.per_second"_metric, brought / seconds);
    put("dram__bytes_write.sum.per_second"_metric, written / seconds);
    put("dram__bytes_write.sum.pct_of_peak_sustained_elapsed"_metric,
        100 * written / (ended.platform.dram.bandwidth_gb_per_s * 1e9 * seconds));
}

}  // namespace sassafras::sim
