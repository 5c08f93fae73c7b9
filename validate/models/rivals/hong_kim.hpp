// S. Hong and H. Kim, "An analytical model for a GPU architecture with memory-level and thread-level parallelism
// awareness" (ISCA 2009): MWP and CWP, the warps whose memory accesses overlap, and the warps that compute while one
// waits.
#pragma once

#include "validate/models/rivals/launch_view.hpp"

namespace sassafras::validate::rivals {

/// Counts are of one warp; cycles are of the SM's clock.
struct HongKimInput {
    double computing = 0;          ///< #Comp_insts
    double coalesced = 0;          ///< #Coal_Mem_insts
    double uncoalesced = 0;        ///< #Uncoal_Mem_insts
    double transactions = 32;      ///< Uncoal_per_mw: transactions of an uncoalesced access
    double synchronisations = 0;   ///< #synch_insts
    double blocks = 0;             ///< of the grid
    double active_blocks = 1;      ///< #Active_blocks_per_SM
    double active_warps = 1;       ///< N, an SM
    double active_sms = 1;         ///< #Active_SMs
    double memory_latency = 0;     ///< Mem_LD
    double coalesced_delay = 0;    ///< Departure_del_coal
    double uncoalesced_delay = 0;  ///< Departure_del_uncoal
    double issue_cycles = 1;       ///< of an instruction
    double bandwidth = 0;          ///< Mem_Bandwidth, bytes a cycle, all SMs
    double load_bytes = 128;       ///< Load_bytes_per_warp
};

struct HongKimEstimate {
    double mwp = 0;
    double cwp = 0;
    double cycles = 0;       ///< with the cost of synchronisation
    double sync_cycles = 0;  ///< of it
};

/// Equations as in section 3 of the paper. Assumes that all warps are alike; no caches, no bank conflicts. A warp
/// without memory instructions takes its computation times the warps of an SM.
[[nodiscard]] HongKimEstimate hong_kim(const HongKimInput& input);

/// The row of compare().
[[nodiscard]] double hong_kim_of(const LaunchView& view);

}  // namespace sassafras::validate::rivals
