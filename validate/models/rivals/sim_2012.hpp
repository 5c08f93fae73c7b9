// J. Sim, A. Dasgupta, H. Kim, R. Vuduc, "A performance analysis framework for identifying potential benefits in GPGPU
// applications" (PPoPP 2012): Hong and Kim's model with caches, ILP and serialisation.
#pragma once

#include "validate/models/rivals/launch_view.hpp"

namespace sassafras::validate::rivals {

/// Counts are of one warp; cycles are of the SM's clock.
struct SimInput {
    double instructions = 0;      ///< #insts
    double memory = 0;            ///< #mem_insts
    double synchronisations = 0;  ///< #sync_insts
    double warps = 0;             ///< #total_warps
    double blocks = 0;
    double active_warps = 1;  ///< N, an SM
    double active_sms = 1;
    double ilp = 1;
    double mlp = 1;
    double instruction_latency = 0;  ///< avg_inst_lat
    double cycles_per_issue = 1;     ///< warp size / SIMD width
    double memory_latency = 0;       ///< avg_DRAM_lat
    double hit_latency = 0;          ///< hit_lat
    double miss_ratio = 1;
    double transactions = 1;     ///< of a memory request
    double departure_delay = 0;  ///< of a transaction
    double bandwidth = 0;        ///< bytes a cycle, all SMs
    double request_bytes = 128;
    double gamma = 64;                ///< machine-dependent factor of F_sync
    double bank_conflict_cycles = 0;  ///< O_bank, an SM
    double divergence_cycles = 0;     ///< O_CFdiv, an SM
};

struct SimEstimate {
    double computation = 0;  ///< T_comp
    double memory = 0;       ///< T_mem
    double overlap = 0;      ///< T_overlap
    double cycles = 0;       ///< T_exec = T_comp + T_mem - T_overlap
};

/// Equations (1) to (17) and (A.1) to (A.7), without the special function unit's O_SFU, which needs counts we have not.
[[nodiscard]] SimEstimate sim_2012(const SimInput& input);

/// The row of compare().
[[nodiscard]] double sim_2012_of(const LaunchView& view);

}  // namespace sassafras::validate::rivals
