#include "sim/device/launch_traffic.hpp"

#include <algorithm>
#include <cstdint>

namespace sassafras::sim {

namespace {

/// What the GPU writes beside a kernel grows with its time, up to a number.
std::uint64_t written_beside(const GpuParameters& gpu, std::uint64_t cycles) {
    if (gpu.launch_l2_write_interval_cycles == 0) return 0;
    return std::min<std::uint64_t>(gpu.launch_l2_write_sectors, cycles / gpu.launch_l2_write_interval_cycles);
}

}  // namespace

void count_launch_traffic(MetricCounts& events, const isa::Program& program, const Platform& platform,
                          LaunchesBefore before, const CodeBrought& far_code) {
    const std::uint64_t sector = platform.lsu.sector_bytes;
    const std::uint64_t line = platform.fetch.line_bytes;
    std::uint64_t code_bytes = program.instructions.size() * isa::instruction_bytes;
    if (platform.fetch.gpc_lines != 0) code_bytes = std::min(code_bytes, platform.fetch.gpc_launch_lines * line);
    const std::uint64_t code = platform.fetch.code_l2_reads == 0 ? 0 : (code_bytes + sector - 1) / sector;
    const std::uint64_t far = far_code.lines * line / sector;
    const std::uint64_t reads = code * platform.fetch.code_l2_reads + platform.gpu.launch_l2_read_sectors + far +
                                far * (platform.l2.partitions - 1) / platform.l2.partitions;
    const std::uint64_t from_dram = (before.of_kernel ? 0 : code) +
                                    (before.any ? 0 : platform.gpu.launch_dram_read_sectors) +
                                    far_code.from_dram * line / sector;
    events["lts__t_sectors_op_read.sum"_metric] += reads;
    events["lts__t_sectors_op_read_lookup_hit.sum"_metric] += reads - std::min(reads, from_dram);
    events["lts__t_sectors_op_write.sum"_metric] +=
        written_beside(platform.gpu, events["sm__cycles_elapsed.max"_metric]);
    events["dram__bytes_read.sum"_metric] += from_dram * sector;
}

}  // namespace sassafras::sim
