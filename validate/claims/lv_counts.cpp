// J. Lv, 2016: what the merges load, search and need, beside their times (lv.cpp).
#include <array>

#include <fmt/format.h>

#include "sim/platform/platform_reader.hpp"
#include "validate/claims/lv_merges.hpp"
#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"
#include "workloads/merge/co_rank.hpp"

namespace sassafras::validate::claims {

namespace {

constexpr double lv_keys = 1U << 18U;

/// The thesis' own kernels, with its largest S.
RunSpec counted_merge(const std::string& variant) {
    return with_counts({"titan-z",
                        "merge",
                        "lv-" + variant,
                        static_cast<std::uint64_t>(lv_keys),
                        {{"blocks", 32}, {"b", 128}, {"S", 2560}}});
}

/// In one block, so that the searches for a part, which every thread of a block makes, are few of the loads.
Test loads(const std::string& variant, double figure) {
    RunSpec run = counted_merge(variant);
    run.parameters[0].second = 1;
    return counting_test(
        {fmt::format("words that lanes load for an output, lv-{}, 2^18 keys, 1 block", variant), "",
         within_a_tenth(figure)},
        {run}, [run](const Evidence& evidence) { return evidence.run(run).profiles[0].global_lane_loads / lv_keys; });
}

void add_loads(std::vector<Claim>& claims) {
    claims.push_back(claim_of({"single-buffer-wastes-half", "Lv 4.2, p. 14",
                               "the single buffer uses half of what it loads: 2 x words for x outputs", "2"},
                              {loads("single-buffer", 2)}));
    claims.push_back(
        claim_of({"double-buffer-wastes-nothing", "Lv 4.3, p. 15", "the double buffer uses all that it loads", "1"},
                 {loads("double-buffer", 1)}));
    claims.push_back(claim_of(
        {"double-buffer-merges-less", "Lv 6.2.2, p. 28",
         "with the same shared memory a thread of the double buffer merges fewer keys", "fewer"},
        {counting_test({"outputs of an iteration, single over double buffer, 2,560 bytes, 128 threads", "x", longer()},
                       {}, [](const Evidence&) {
                           const auto outputs = [](const char* name) {
                               return static_cast<double>(workloads::merge::outputs_of_iteration(
                                   *workloads::merge::find_co_rank_variant(name), 2560, 128));
                           };
                           return outputs("lv-single-buffer") / outputs("lv-double-buffer");
                       })}));
    const std::vector<RunSpec> runs{counted_merge("single-buffer"), counted_merge("double-buffer")};
    claims.push_back(claim_of(
        {"double-buffer-registers", "Lv 6.2.2, p. 28", "the double buffer needs more registers", "more", Cause::kernel},
        {counting_test({"registers a thread, lv-double-buffer over lv-single-buffer", "x", longer()}, runs,
                       [runs](const Evidence& evidence) {
                           return evidence.run(runs[1]).profiles[0].registers_per_thread /
                                  evidence.run(runs[0]).profiles[0].registers_per_thread;
                       })}));
}

void add_optimisations(std::vector<Claim>& claims) {
    claims.push_back(claim_of(
        {"co-rank-calls-halved", "Lv 5.1, p. 19; figures 5.1, 5.2",
         "handing ends on to the next thread halves the calls of co-rank", "2 x"},
        {counting_test(
             {"shared requests of co-rank searches, lv-single-buffer over lv-single-buffer-half", "x",
              within_a_tenth(2)},
             {with_conflicts(counted_merge("single-buffer")), with_conflicts(counted_merge("single-buffer-half"))},
             [](const Evidence& evidence) {
                 const auto requests = [&](const char* variant) {
                     return evidence.run(with_conflicts(counted_merge(variant)))
                         .phases.at("merge: co-rank search")
                         .requests;
                 };
                 return requests("single-buffer") / requests("single-buffer-half");
             }),
         arithmetic_test({"16 calls of 8 threads before, 8 after", "x", exactly(2)}, 16.0 / 8)}));
    const std::vector<RunSpec> runs{counted_merge("single-buffer"), counted_merge("single-buffer-select")};
    const auto active = [](const RunResult& run) {
        constexpr double lanes = 32;
        constexpr double percent = 100;
        return percent * run.profiles[0].thread_instructions / (run.profiles[0].instructions() * lanes);
    };
    claims.push_back(claim_of(
        {"selection-without-divergence", "Lv 5.2, p. 21",
         "selection in place of branches removes all control divergence from merge and co-rank", "all",
         Cause::algorithm},
        {counting_test({"lanes that take part in an instruction, lv-single-buffer-select", "%", at_least(99)},
                       {runs[1]}, [runs, active](const Evidence& evidence) { return active(evidence.run(runs[1])); }),
         showing(counting_test({"the same with branches", "%", at_least(99)}, {runs[0]},
                               [runs, active](const Evidence& evidence) { return active(evidence.run(runs[0])); }))},
        "co-rank's loop still ends sooner for some lanes than for others"));
}

/// Bytes that 128 warps an SM read of DRAM, and the run's clock.
Test bandwidth_test(const std::string& platform, double megahertz, double figure) {
    constexpr std::uint64_t words_a_thread = 64;
    constexpr std::int64_t bytes = 64 << 20;
    const RunSpec run{
        platform, "micro", "bandwidth", words_a_thread, {{"level", 3}, {"b", 128}, {"M_o", 16}, {"footprint", bytes}}};
    return noted(
        simulation_test({"bytes a second of loads that miss all caches", "GB/s", within_a_tenth(figure)}, {run},
                        [run, megahertz](const Evidence& evidence) {
                            const auto resolved = sim::load_platform(run.platform);
                            if (!resolved) throw InvariantViolation("a platform of the table is missing");
                            constexpr double bytes_a_load = 16;
                            constexpr double threads = 16 * 128;
                            const double read = bytes_a_load * static_cast<double>(words_a_thread) * threads *
                                                resolved->platform.gpu.sm_count;
                            return read / evidence.cycles(run) * megahertz / 1e3;
                        }),
        "the modelled GPU was given this efficiency of DRAM");
}

void add_machines(std::vector<Claim>& claims) {
    claims.push_back(claim_of(
        {"peaks-of-table-6-1", "Lv table 6.1, p. 23", "peak FP32 rates of a Titan Z (two GPUs) and a GTX 980",
         "8,122; 4,616 GFLOP/s"},
        {arithmetic_test({"2 x 5,760 cores at 705 MHz", "GFLOP/s", within_a_tenth(8122)}, 2 * 5760 * 0.705),
         arithmetic_test({"2 x 2,048 cores at 1,126 MHz", "GFLOP/s", within_a_tenth(4616)}, 2 * 2048 * 1.126)}));
    Claim experimental =
        claim_of({"bandwidths-of-table-6-1", "Lv table 6.1, p. 23",
                  "experimental memory bandwidth of a GPU of the Titan Z and of a GTX 980", "240; 163 GB/s"},
                 {bandwidth_test("titan-z", 876, 240), bandwidth_test("gtx980", 1216, 163)});
    claims.push_back(experimental);
    claims.push_back(
        claim_of({"merge-memory", "Lv 6.1.2, p. 24", "merging 100M and 100M integers takes 1.6 GB", "1.6 GB"},
                 {arithmetic_test({"4 bytes of 100M + 100M + 200M integers", "GB", exactly(1.6)}, 4 * 400e6 / 1e9)}));
    constexpr double bytes_a_key = 8;  // read and written
    constexpr double processor_bytes = 25.6e9;
    const RunSpec run = tuned_merge("gtx980", "lv-single-buffer-half-select");
    claims.push_back(claim_of(
        {"gpu-merge-beats-sequential", "Lv 6.2.2, p. 28; chapter 7",
         "for large inputs merging on the GPUs is much faster than sequentially on the processor", "faster",
         Cause::gpu},
        {lengthy(simulation_test(
            {"least time of any processor with 25.6 GB/s over that of lv-single-buffer-half-select, 2 x 10^6 keys", "x",
             longer()},
            {run},
            [run](const Evidence& evidence) {
                constexpr double hertz = 1216e6;  // of the modelled GPU
                return 2e6 * bytes_a_key / processor_bytes / (evidence.cycles(run) / hertz);
            }))},
        "no program on the Core i7 of table 6.1 can move the keys in less time; a merge takes several times as long"));
}

}  // namespace

void add_lv_counts(std::vector<Claim>& claims) {
    add_loads(claims);
    add_optimisations(claims);
    add_machines(claims);
}

}  // namespace sassafras::validate::claims
