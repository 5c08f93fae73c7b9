// Measurements of one mechanism each; their kernels are in probes.cuh.
#pragma once

#include "workloads/micro/collector.hpp"

namespace sassafras::workloads::micro {

/// Warp loads and stores of shared memory by width, number of warps and stride.
void measure_shared_throughput(Collector& rows);
/// Warp loads that hit in L1, by the number of lines that each touches.
void measure_l1_throughput(Collector& rows);
/// FFMAs of three different registers.
void measure_register_ports(Collector& rows);
/// Loops so short that the branch shows, and code so long that fetching it shows.
void measure_fetch(Collector& rows);
/// Many blocks that do nothing.
void measure_block_turnover(Collector& rows);

}  // namespace sassafras::workloads::micro
