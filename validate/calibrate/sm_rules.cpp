#include <array>

#include "validate/calibrate/rule.hpp"

namespace sassafras::validate::calibrate {

namespace {

constexpr double most_interval = 64;  ///< cycles: FP64 of a T4
constexpr double most_latency = 200;  ///< cycles, of what does not leave the SM

constexpr auto sm_table = std::to_array<Rule>({
    {"/pipes/fma/issue_interval_cycles", "rate fadd warps=32", {}, Slope::falls, 1, most_interval},
    {"/pipes/alu/issue_interval_cycles", "rate lop3 warps=32", {}, Slope::falls, 1, most_interval},
    {"/pipes/imad/issue_interval_cycles", "rate imad warps=32", {}, Slope::falls, 1, most_interval},
    {"/pipes/imad_wide/issue_interval_cycles", "rate imad_hi warps=32", {}, Slope::falls, 1, most_interval},
    {"/pipes/fp16/issue_interval_cycles", "rate hset2 warps=32", {}, Slope::falls, 1, most_interval},
    {"/pipes/fp64/issue_interval_cycles", "rate dadd warps=32", {}, Slope::falls, 1, 2 * most_interval},
    {"/pipes/xu/issue_interval_cycles", "rate mufu_ex2 warps=32", {}, Slope::falls, 1, most_interval},
    {"/pipes/imad_wide/latency_cycles", "latency imad_hi warps=1", {}, Slope::rises, 1, most_latency},
    {"/pipes/imad_wide_addend_latency_cycles", "latency imad_hi_addend warps=1", {}, Slope::rises, 1, most_latency},
    {"/pipes/fp64/latency_cycles", "latency dadd warps=1", {}, Slope::rises, 1, most_latency},
    {"/pipes/xu/latency_cycles", "latency mufu_ex2 warps=1", {}, Slope::rises, 1, most_latency},
    {"/pipes/xu_wide/issue_interval_cycles", "rate f2f warps=32", {}, Slope::falls, 1, most_interval},
    {"/pipes/xu_wide/latency_cycles", "latency f2f warps=1", {}, Slope::rises, 1, most_latency},
    {"/pipes/tensor_short/issue_interval_cycles", "rate hmma_1688 warps=32", {}, Slope::falls, 1, most_interval},
    {"/pipes/tensor_short/latency_cycles", "latency hmma_1688 warps=1", {}, Slope::rises, 1, most_latency},
    {"/pipes/tensor/issue_interval_cycles", "rate hmma_16816 warps=32", {}, Slope::falls, 1, most_interval, 80},
    {"/pipes/tensor/latency_cycles", "latency hmma_16816 warps=1", {}, Slope::rises, 1, most_latency, 80},
    {"/pipes/tensor_double/issue_interval_cycles", "rate dmma_884 warps=32", {}, Slope::falls, 1, most_interval, 80},
    {"/pipes/tensor_double/latency_cycles", "latency dmma_884 warps=1", {}, Slope::rises, 1, most_latency, 80},
    {"/sm/branch_latency_cycles", "loop ffma operations=4", {}, Slope::rises, 1, most_latency},
    {"/sm/barrier_arrival_interval_cycles", "latency bar_sync warps=32", "latency bar_sync warps=1", Slope::rises, 1,
     most_interval},
    {"/sm/barrier_latency_cycles", "latency bar_sync warps=1", {}, Slope::rises, 1, 10 * most_latency},
    {"/lsu/wavefront_interval_cycles", "rate sts stride_words=8", {}, Slope::falls, 1, most_interval},
    {"/lsu/shared_load_latency_cycles", "latency lds stride_words=1", {}, Slope::rises, 1, most_latency},
    {"/lsu/shared_atomic_latency_cycles", "latency atoms stride_words=1", {}, Slope::rises, 1, most_latency},
    {"/lsu/shuffle_latency_cycles", "latency shfl warps=1", {}, Slope::rises, 1, most_latency},
    {"/lsu/constant_latency_cycles", "latency ldc indexed", {}, Slope::rises, 1, most_latency},
    {"/lsu/accept_interval_cycles", "throughput lds width=4 warps=32 stride=0", {}, Slope::rises, 1, most_interval},
    {"/lsu/issue_interval_cycles", "throughput sts width=4 warps=32 stride=0", {}, Slope::rises, 1, most_interval},
    {"/lsu/address_register_cycles", "throughput ldg l1 width=4 warps=32 lines=1", {}, Slope::rises, 0, most_interval},
    {"/lsu/warp_wavefront_interval_cycles", "warps sts width=4 stride=8 warps=one", {}, Slope::rises, 1, most_interval},
    {"/lsu/subcore_wavefront_interval_cycles",
     "warps lds width=16 stride=8 warps=one_subcore",
     {},
     Slope::rises,
     1,
     most_interval},
    {"/lsu/return_register_cycles", "throughput lds width=8 warps=32 stride=0", {}, Slope::rises, 0, most_interval},
    {"/lsu/load_register_cycles", "throughput lds width=16 warps=1 stride=1", {}, Slope::rises, 0, most_interval},
    {"/lsu/operand_register_cycles", "throughput sts width=16 warps=1 stride=1", {}, Slope::rises, 0, most_interval},
    {"/lsu/store_data_lag_cycles", "latency sts_lds same word", {}, Slope::rises, 0, most_interval},
    {"/fetch/l1_lines", "straight line second pass operations=4096", {}, Slope::falls, 1, 4096},
    {"/fetch/fill_interval_cycles", "straight line first pass operations=4096", {}, Slope::rises, 1, 1000},
    {"/clock/global_timer_step_ns", "timer step", {}, Slope::rises, 1, 1U << 20U},
    {"/gpu/completed_blocks_per_cycle", "turnover null grid=4224-42240 block=32", {}, Slope::falls, 0.01, 10},
    {"/gpu/launch_overhead_cycles", "launch null grid=1 block=32", {}, Slope::rises, 0, 1000000},
    {"/gpu/block_start_latency_cycles", "block gap apart=16 block=1024 by_timer mean", {}, Slope::rises, 1, 10000},
});

}  // namespace

std::span<const Rule> sm_rules() { return sm_table; }

}  // namespace sassafras::validate::calibrate
