// 5.2: what MAGMA's GEMM counts, as the thesis says and as our kernel does it.
#include <fmt/format.h>

#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

namespace {

constexpr double counted_order = 384;  // 16 tiles of 96 x 96
constexpr double counted_depth = 192;  // 12 batches of 16
constexpr double counted_tile = 96;
constexpr double counted_batch = 16;
constexpr double counted_threads = 256;

RunSpec counted_magma() {
    return with_counts({"algoparc",
                        "gemm",
                        "magma",
                        static_cast<std::uint64_t>(counted_order),
                        {{"M", static_cast<std::int64_t>(counted_order)},
                         {"K", static_cast<std::int64_t>(counted_depth)},
                         {"N_TB", static_cast<std::int64_t>(counted_tile)},
                         {"lambda", static_cast<std::int64_t>(counted_batch)},
                         {"b", static_cast<std::int64_t>(counted_threads)}}});
}

Test of_magma_launch(const Wanted& wanted, double (*value)(const RunResult&)) {
    const RunSpec run = counted_magma();
    return counting_test(wanted, {run}, [run, value](const Evidence& evidence) { return value(evidence.run(run)); });
}

const std::string size_of_run = "order 384, k = 192";

}  // namespace

void add_karsin_gemm_counts(std::vector<Claim>& claims) {
    claims.push_back(claim_of({"gemm-one-kernel", "Karsin 5.2, p. 40", "MAGMA's GEMM is one kernel", "1"},
                              {of_magma_launch({"launches", "", exactly(1)}, [](const RunResult& run) {
                                  return static_cast<double>(run.profiles.size());
                              })}));
    claims.push_back(claim_of(
        {"gemm-global-accesses", "Karsin 5.2.1, p. 40", "it moves 2 n m k / N_TB + n m words of global memory", "A_g"},
        {of_magma_launch({"words of the sectors counted over that, " + size_of_run, "x", within_a_tenth(1)},
                         [](const RunResult& run) {
                             return run.profiles[0].global_sectors * words_a_sector /
                                    (2 * counted_order * counted_order * counted_depth / counted_tile +
                                     counted_order * counted_order);
                         })}));
    claims.push_back(claim_of(
        {"gemm-shared-accesses", "Karsin 5.2.2, p. 41", "it accesses 4 n m k / N_TB words of shared memory", "A_s",
         Cause::model},
        {of_magma_launch({"accesses of lanes, from wavefronts, over that, " + size_of_run, "x", within_a_tenth(1)},
                         [](const RunResult& run) {
                             return run.profiles[0].shared_wavefronts * warp_lanes /
                                    (4 * counted_order * counted_order * counted_depth / counted_tile);
                         })},
        "the formula counts each staged word as read once; the 16 threads of a row or column of a block read it"));
    claims.push_back(claim_of(
        {"gemm-conflict-free", "Karsin 5.2.2, p. 41", "it has no bank conflicts: beta = 1", "1"},
        {of_magma_launch({"wavefronts over those that the words need, " + size_of_run, "x", {1, 1.005}},
                         [](const RunResult& run) {
                             return run.profiles[0].shared_wavefronts / run.profiles[0].shared_wavefronts_ideal;
                         })}));
    claims.push_back(claim_of({"gemm-register-operations", "Karsin 5.2.3, p. 42",
                               "it takes one multiply-add, an FMA, for each product: n m k operations", "A_r"},
                              {of_magma_launch({"FFMAs of lanes over n m k, " + size_of_run, "x", within_a_tenth(1)},
                                               [](const RunResult& run) {
                                                   return run.instructions.at("FFMA") * warp_lanes /
                                                          (counted_order * counted_order * counted_depth);
                                               })}));
    claims.push_back(claim_of(
        {"gemm-barriers", "Karsin 5.2.4, p. 42", "a block waits at two barriers for each batch of lambda", "2"},
        {of_magma_launch({"barriers of a block over batches, " + size_of_run, "", within_a_tenth(2)},
                         [](const RunResult& run) {
                             const KernelProfile& launch = run.profiles[0];
                             return launch.barriers / launch.warps(warp_lanes) / (counted_depth / counted_batch);
                         })}));
    claims.push_back(claim_of(
        {"gemm-registers", "Karsin 5.3.2, p. 46",
         "a thread needs (N_TB^2 + 2 N_TB lambda) / b registers, 48 with MAGMA's parameters", "48", Cause::model},
        {of_magma_launch(
            {"registers a thread of the kernel", "",
             within_a_tenth((counted_tile * counted_tile + 2 * counted_tile * counted_batch) / counted_threads)},
            [](const RunResult& run) { return run.profiles[0].registers_per_thread; })},
        "the formula has sums and staged words; addresses, counters and the operands of a step are left out"));
    claims.push_back(
        claim_of({"gemm-error-mean", "Karsin abstract, p. iv",
                  "SPT estimates MAGMA's GEMM with an average error of 5 % over the machines", "5 %", Cause::gpu},
                 {arithmetic_test({"mean of 3.8 and 5.7 % (5.3.1)", "%", within_a_tenth(5)}, (3.8 + 5.7) / 2)}));
}

}  // namespace sassafras::validate::claims
