// How busy the units of an SM, L1 and L2 were: rows of the list of metrics. What begins with model__ is of the model's
// own peaks, which Nsight Compute has no name for; diagnose asks for it.
#pragma once

#include <array>

#include "sim/metrics/metric_row.hpp"

namespace sassafras::sim {

inline constexpr auto utilisation_metric_rows = std::to_array<MetricRow>({
    {.name = "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .meaning = "FP32 and integer multiply-adds, of what both halves of the pipe take"},
    {.name = "model__fma_busier_half.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .meaning = "likewise, of what the half takes that alone has integer ones, FP32's even on both"},
    {.name = "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .meaning = "integer, logic and comparison, of what the pipe takes"},
    {.name = "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .meaning = "FP64, of what the pipe takes"},
    {.name = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .meaning = "matrix instructions and HFMA2.MMA, of what the tensor cores take"},
    {.name = "sm__pipe_xu_cycles_active.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .meaning = "conversions and transcendental functions, of what the pipe takes"},
    {.name = "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .meaning = "passes of shared-memory accesses, of those that the banks can make"},
    {.name = "model__l1_lines.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .meaning = "lines of global accesses that L1 looks up, of those that it can"},
    {.name = "model__l2_slices.avg.pct_of_peak_sustained_elapsed",
     .unit = "%",
     .merge = Merge::none,
     .details = {Section::speed_of_light, 6, "L2 Slices Throughput (model)"},
     .meaning = "bytes in and out of the slices of L2, of what they can"},
});

}  // namespace sassafras::sim
