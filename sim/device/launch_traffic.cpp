#include "sim/device/launch_traffic.hpp"

#include <algorithm>
#include <cstdint>

namespace sassafras::sim {

void count_launch_traffic(MetricCounts& events, const isa::Program& program, const Platform& platform,
                          LaunchesBefore before) {
    const std::uint64_t sector = platform.lsu.sector_bytes;
    const std::uint64_t code_bytes = program.instructions.size() * isa::instruction_bytes;
    const std::uint64_t code = platform.fetch.code_l2_reads == 0 ? 0 : (code_bytes + sector - 1) / sector;
    const std::uint64_t reads = code * platform.fetch.code_l2_reads + platform.gpu.launch_l2_read_sectors;
    const std::uint64_t from_dram =
        (before.of_kernel ? 0 : code) + (before.any ? 0 : platform.gpu.launch_dram_read_sectors);
    events["lts__t_sectors_op_read.sum"_metric] += reads;
    events["lts__t_sectors_op_read_lookup_hit.sum"_metric] += reads - std::min(reads, from_dram);
    events["lts__t_sectors_op_write.sum"_metric] += platform.gpu.launch_l2_write_sectors;
    events["dram__bytes_read.sum"_metric] += from_dram * sector;
}

}  // namespace sassafras::sim
