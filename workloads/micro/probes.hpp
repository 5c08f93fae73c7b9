// Measurements of one mechanism each. The kernels of those from a file NAME.cpp are in NAME.cuh.
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

// dispatch.cpp
/// Kernels that do nothing, one store, and one load.
void measure_launch(Collector& rows);
/// When the blocks that run at once begin.
void measure_first_wave(Collector& rows);
/// From the end of a block to the begin of the one that follows it.
void measure_block_gaps(Collector& rows);

// multiply.cpp
/// Chains of wide multiplications through each of their operands, and through the ALU.
void measure_wide_multiply(Collector& rows);

// cold_code.cpp
/// How long one of many warps takes for straight-line code: whether the scheduler can stay with it.
void measure_issue_order(Collector& rows);
/// Instructions and constants that no cache of the SM holds.
void measure_cold_code(Collector& rows);

// yield.cpp
/// The same with the yield hint of the control code set in every instruction and in none.
void measure_yield(Collector& rows);

// chosen_warps.cpp
/// Shared memory as seen by warps that share a sub-core and by warps that do not.
void measure_chosen_warps(Collector& rows);

// samples.cpp
/// How much of what was loaded L1 keeps, by the shared memory that the block asks for.
void measure_l1_capacity(Collector& rows);
/// L2 hits of every SM: how latency spreads over SMs and lines.
void measure_l2_latency(Collector& rows);
/// Warp loads of 1 to 32 lines from DRAM: how latency spreads, and what lines far apart cost.
void measure_cold_loads(Collector& rows);

// translation.cpp
/// Loads of many pages. Asked for only.
void measure_translation(Collector& rows);

// in_flight.cpp
/// Cold loads of one SM, each of a line of its own. Asked for only.
void measure_loads_in_flight(Collector& rows);

// fences.cpp
/// Memory barriers, alone and behind stores.
void measure_fences(Collector& rows);

// scatter.cpp
/// Stores and loads of single sectors by all SMs.
void measure_scatter(Collector& rows);
void measure_activations(Collector& rows);

// numbers.cpp
/// What `sassafras calibrate` looks for and no other measurement shows alone. Streams of some hundred MiB are asked for
/// only.
void measure_numbers(Collector& rows);

// streams.cpp
/// Bandwidth by size and number of blocks: as the kernel starts, and in steady state.
void measure_streams(Collector& rows);

}  // namespace sassafras::workloads::micro
