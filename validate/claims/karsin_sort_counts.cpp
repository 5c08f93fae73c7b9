// Chapter 7: what the sorts count, and what follows from their formulas alone.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"
#include "validate/models/spt/logarithms.hpp"

namespace sassafras::validate::claims {

namespace {

using spt::Reading;

constexpr double counted_keys = 245760;  // 128 tiles of 15 x 128; 240 squares of w^2
constexpr std::int64_t ways = 8;
constexpr std::array<const char*, 3> sorted_on{"algoparc", "gibson", "uhhpc"};

RunSpec counted_sort(const std::string& variant, Parameters parameters, const std::string& input = {}) {
    return with_counts(
        {"algoparc", "sort", variant, static_cast<std::uint64_t>(counted_keys), std::move(parameters), input});
}
RunSpec mgpu_sort() { return counted_sort("mgpu", {{"E", 15}, {"b", 128}}); }
RunSpec mms_sort(const std::string& input = {}) { return counted_sort("mms", {{"K", ways}, {"blocks", 416}}, input); }
RunSpec koike_sort(const std::string& input = {}) {
    return counted_sort("koike-sadakane", {{"K", ways}, {"blocks", 416}}, input);
}

/// Sums over the launches whose kernel's name has `part` in it.
double of_kernels(const RunResult& run, const std::string& part, double (*value)(const KernelProfile&)) {
    double sum = 0;
    for (const KernelProfile& launch : run.profiles)
        if (launch.name.find(part) != std::string::npos) sum += value(launch);
    return sum;
}
double launches(const KernelProfile&) { return 1; }
double wavefronts(const KernelProfile& launch) { return launch.shared_wavefronts; }
double sectors(const KernelProfile& launch) { return launch.global_sectors; }

Test of_run(const Wanted& wanted, const RunSpec& run, std::function<double(const RunResult&)> value) {
    return counting_test(
        wanted, {run}, [run, value = std::move(value)](const Evidence& evidence) { return value(evidence.run(run)); });
}

void add_pairwise(std::vector<Claim>& claims) {
    const double rounds = spt::ceil_log2(counted_keys / (15 * 128));
    claims.push_back(
        claim_of({"mgpu-kernels", "Karsin 7.1.2, p. 62", "MGPU's mergesort has ceil(log(N / (b E))) + 1 kernels",
                  "8 of 245,760 keys", Cause::model},
                 {of_run({"launches, E = 15, b = 128", "", exactly(rounds + 1)}, mgpu_sort(),
                         [](const RunResult& run) { return static_cast<double>(run.profiles.size()); })},
                 "each merge has a launch before it that partitions; the thesis counts the two as one"));
    claims.push_back(claim_of(
        {"mgpu-global-accesses", "Karsin 7.1.2, p. 63",
         "a merge round reads and writes each key once, coalesced: 2 N / P accesses", "2", Cause::model},
        {of_run({"words of the sectors that merges move, a key and round", "", within_a_tenth(2)}, mgpu_sort(),
                [rounds](const RunResult& run) {
                    return of_kernels(run, "_merge_", sectors) * words_a_sector / counted_keys / rounds;
                })},
        "the formula has every block of w words aligned; a tile's parts of two lists begin anywhere, and a warp's 32 "
        "words lie in five sectors then"));
    claims.push_back(
        claim_of({"mgpu-barriers", "Karsin 7.1.2, p. 64", "a block waits at two barriers in each merge round", "2",
                  Cause::kernel},
                 {of_run({"barriers of a block in a merge", "", exactly(2)}, mgpu_sort(),
                         [](const RunResult& run) {
                             const auto barriers = [](const KernelProfile& launch) { return launch.barriers; };
                             const auto warps = [](const KernelProfile& launch) { return launch.warps(warp_lanes); };
                             return of_kernels(run, "_merge_", barriers) / of_kernels(run, "_merge_", warps);
                         })},
                 "ours has one more, before the merged keys go back through shared memory"));
    claims.push_back(
        claim_of({"odd-even-swaps", "Karsin 7.1.2, p. 64", "the odd-even network sorts E keys with some E^2 / 2 swaps",
                  "112.5 for E = 15"},
                 {arithmetic_test({"E rounds of (E - 1) / 2 swaps, E = 15", "", within_a_tenth(112.5)}, 15 * 7)}));
    claims.push_back(claim_of(
        {"mergesort-steps", "Karsin 7.1.4, p. 67; figure 7.3",
         "throughput falls in steps, where ceil(log(N / (b E))) grows", "steps"},
        {formula_test("algoparc", {"T / N with 2^15 tiles and one over T / N with 2^15, E = 31", "x", {1.02, 1.5}},
                      [] {
                          const auto each = [](double tiles) {
                              const double keys = tiles * 31 * 128;
                              return estimate_on("algoparc", spt::mgpu_mergesort(machine("algoparc"), {keys, 31, 128},
                                                                                 Reading::printed))
                                         .cycles /
                                     keys;
                          };
                          return each(32769) / each(32768);
                      }),
         [] {
             const auto run = [](std::uint64_t tiles) {
                 return RunSpec{"algoparc", "sort", "mgpu", tiles * 15 * 128, {{"E", 15}, {"b", 128}}};
             };
             return simulation_test({"time a key of 65 tiles over 64, E = 15", "x", {1.02, 1.5}}, {run(65), run(64)},
                                    [run](const Evidence& evidence) {
                                        return evidence.cycles(run(65)) / 65 / (evidence.cycles(run(64)) / 64);
                                    });
         }()}));
    std::vector<RunSpec> everywhere;
    everywhere.reserve(sorted_on.size());
    for (const char* platform : sorted_on) everywhere.push_back(with_conflicts(mgpu_sort().on(platform)));
    claims.push_back(
        claim_of({"beta-is-the-algorithms", "Karsin 4.3, p. 30; 7.1.3, p. 65",
                  "beta depends on the algorithm and the input only, not on the GPU", "equal"},
                 {counting_test({"greatest merging beta of the three machines over the least", "x", exactly(1)},
                                everywhere, [everywhere](const Evidence& evidence) {
                                    double least = INFINITY;
                                    double most = 0;
                                    for (const RunSpec& run : everywhere) {
                                        least = std::min(least, evidence.run(run).merging_beta);
                                        most = std::max(most, evidence.run(run).merging_beta);
                                    }
                                    return most / least;
                                })}));
}

void add_multiway(std::vector<Claim>& claims) {
    Claim free = claim_of({"mms-conflict-free", "Karsin 7.4, p. 79; ICS 2018, slides 41, 48",
                           "GPU-MMS has no bank conflicts, whatever the keys are", "1"},
                          {});
    for (const char* input : {"random", "sorted", "reverse", "organ-pipe"})
        free.tests.push_back(
            of_run({fmt::format("wavefronts over those needed, 245,760 keys, {}", input), "x", {1, 1.0005}},
                   mms_sort(input), conflicts_of));
    claims.push_back(free);
    claims.push_back(claim_of(
        {"koike-sadakane-conflict-free", "Karsin 7.2.2, p. 69", "nor has Koike and Sadakane's mergesort", "1"},
        {of_run({"wavefronts over those needed, 245,760 random keys", "x", {1, 1.0005}}, koike_sort(), conflicts_of)}));
    Claim barriers = claim_of({"multiway-no-barriers", "Karsin 7.2.2, p. 70; 7.3.2, p. 76",
                               "the multiway sorts need no SYNCTHREADS, as a block is one warp", "0"},
                              {});
    for (const RunSpec& run : {koike_sort(), mms_sort()})
        barriers.tests.push_back(
            of_run({"barriers of " + run.variant, "", exactly(0)}, run, [](const RunResult& result) {
                return of_kernels(result, "", [](const KernelProfile& launch) { return launch.barriers; });
            }));
    claims.push_back(barriers);
    const auto heap = [](const RunResult& run) {
        for (const KernelProfile& launch : run.profiles)
            if (launch.name.find("_merge_") != std::string::npos) return launch.shared_words_per_block;
        return 0.0;
    };
    claims.push_back(claim_of({"koike-sadakane-memory", "Karsin 7.2.3, p. 70; 7.3.1, p. 72",
                               "a heap of K lists takes 4 K w - 2 w words of shared memory", "960 for K = 8"},
                              {of_run({"words of a block", "", within_a_tenth(960)}, koike_sort(), heap)}));
    claims.push_back(
        claim_of({"mms-memory", "Karsin 7.3.1, p. 72", "a MinBlockHeap takes half of that: 2 K w - w", "480 for K = 8"},
                 {of_run({"words of a block", "", within_a_tenth(480)}, mms_sort(), heap)}));
    const double rounds = spt::ceil_log(ways, counted_keys / (warp_lanes * warp_lanes));
    claims.push_back(claim_of(
        {"mms-kernels", "Karsin 7.3.3, p. 76", "GPU-MMS has ceil(log_K(N / w^2)) + 1 kernels", "4 of 245,760 keys",
         Cause::model},
        {of_run({"launches, K = 8", "", exactly(rounds + 1)}, mms_sort(),
                [](const RunResult& run) { return static_cast<double>(run.profiles.size()); }),
         showing(of_run({"of them base case and merges", "", exactly(rounds + 1)}, mms_sort(),
                        [](const RunResult& run) {
                            return of_kernels(run, "", launches) - of_kernels(run, "partition", launches);
                        }))},
        "where there are fewer lists than warps each round has a launch that cuts them; the formula leaves it out"));
    const double koike_rounds = spt::ceil_log(ways, counted_keys / warp_lanes);
    claims.push_back(claim_of({"koike-sadakane-kernels", "Karsin 7.2.2, p. 69",
                               "Koike and Sadakane's has ceil(log_K(N / w)) + 1", "6 of 245,760 keys", Cause::model},
                              {of_run({"launches, K = 8", "", exactly(koike_rounds + 1)}, koike_sort(),
                                      [](const RunResult& run) { return static_cast<double>(run.profiles.size()); })},
                              "launches that cut lists are left out, as of GPU-MMS"));
    claims.push_back(claim_of(
        {"mms-base-case-accesses", "Karsin 7.3.1, p. 74", "the base case takes 4 log w accesses of shared memory a key",
         "20"},
        {of_run({"accesses of a key in the base case", "", within_a_tenth(20)}, mms_sort(), [](const RunResult& run) {
            return of_kernels(run, "shearsort", wavefronts) * warp_lanes / counted_keys;
        })}));
    claims.push_back(claim_of(
        {"mms-merge-accesses", "Karsin 7.3.2, p. 75", "a merge takes 4 log K accesses of shared memory a key",
         "12 for K = 8", Cause::model},
        {of_run({"accesses of a key and round", "", within_a_tenth(12)}, mms_sort(),
                [rounds](const RunResult& run) {
                    return of_kernels(run, "_merge_", wavefronts) * warp_lanes / counted_keys / rounds;
                })},
        "the formula has the words of nodes; the search of the path, the build of the heap and refills are left out"));
    claims.push_back(claim_of(
        {"mms-fewer-shared-accesses", "Karsin 7.3.1, p. 73; 7.3.2, p. 75",
         "merging in registers saves shared accesses: 4 log K a key where Koike and Sadakane's heap takes 4 "
         "log w log K",
         "5 x", Cause::kernel},
        {counting_test(
            {"accesses in merges of koike-sadakane over mms, a key and round, K = 8", "x", within_a_tenth(5)},
            {koike_sort(), mms_sort()},
            [rounds, koike_rounds](const Evidence& evidence) {
                return of_kernels(evidence.run(koike_sort()), "_merge_", wavefronts) / koike_rounds /
                       (of_kernels(evidence.run(mms_sort()), "_merge_", wavefronts) / rounds);
            })},
        "it saves more than is claimed: the heap of Koike and Sadakane takes four times the formula's accesses here, "
        "that of GPU-MMS 1.8 times (mms-merge-accesses)"));
}

spt::Estimate koike_estimate(const char* name, double lists) {
    constexpr double keys = 536870912;  // 2^29
    return estimate_on(name, spt::koike_sadakane_mergesort(machine(name), {keys, lists}, Reading::printed));
}

spt::Estimate mms_estimate(const char* name, double lists) {
    constexpr double keys = 268435456;  // 2^28
    return estimate_on(name, spt::gpu_mms(machine(name), {keys, lists}, Reading::printed));
}

void add_formulas(std::vector<Claim>& claims) {
    claims.push_back(claim_of({"koike-sadakane-similar-at-small-K", "Karsin 7.2.3, p. 70; figure 7.5",
                               "with very small K global and shared memory have similar shares of its time", "similar"},
                              {formula_test("algoparc", {"T_s / T_g at K = 2, N = 2^29", "x", {0.5, 2}}, [] {
                                  const auto estimate = koike_estimate("algoparc", 2);
                                  return estimate.operation_cycles("s") / estimate.operation_cycles("g");
                              })}));
    Claim loses = claim_of({"koike-sadakane-loses-beyond-4", "Karsin 7.3.3, p. 76",
                            "beyond K = 4 Koike and Sadakane's sort loses on the three machines", "K > 4"},
                           {});
    for (const char* name : sorted_on)
        loses.tests.push_back(formula_test(name, {"T at K = 8 over T at K = 4, N = 2^29", "x", longer()}, [name] {
            return koike_estimate(name, 8).cycles / koike_estimate(name, 4).cycles;
        }));
    claims.push_back(loses);
    claims.push_back(claim_of({"mms-doubles-oversubscription", "Karsin 7.3.1, p. 72; 7.3.3, p. 76",
                               "GPU-MMS holds twice the threads of Koike and Sadakane's sort", "2 x"},
                              {formula_test("algoparc", {"M_o at K = 16 over M_o of theirs", "x", exactly(2)}, [] {
                                  return mms_estimate("algoparc", 16).terms.front().oversubscription /
                                         koike_estimate("algoparc", 16).terms.front().oversubscription;
                              })}));
    const auto over = [](double lists) {
        return estimate_on("algoparc",
                           spt::koike_sadakane_mergesort(machine("algoparc"), {268435456, lists}, Reading::printed))
                   .cycles /
               mms_estimate("algoparc", lists).cycles;
    };
    claims.push_back(
        claim_of({"mms-beats-koike-sadakane", "Karsin 7.3.3, p. 76; figure 7.7",
                  "the model has GPU-MMS ahead of Koike and Sadakane's sort, most for larger K", "more"},
                 {formula_test("algoparc", {"least of T over T, K = 2, 4, ... 32, N = 2^28", "x", longer()},
                               [over] {
                                   return std::min({over(2), over(4), over(8), over(16), over(32)});
                               }),
                  formula_test("algoparc", {"T over T at K = 32, over that at K = 2", "x", longer()},
                               [over] { return over(32) / over(2); })}));
    claims.push_back(claim_of(
        {"mms-register-share", "Karsin 7.3.3, p. 78; ICS 2018, slide 58",
         "register operations are a significant part of GPU-MMS' time; it is mostly bound by computing", "most"},
        {formula_test("algoparc", {"T_r over the greater of T_g and T_s, K = 16, N = 2^28", "x", longer()}, [] {
            const auto estimate = mms_estimate("algoparc", 16);
            return estimate.operation_cycles("r") /
                   std::max(estimate.operation_cycles("g"), estimate.operation_cycles("s"));
        })}));
    claims.push_back(
        claim_of({"K-trades-accesses-for-parallelism", "ICS 2018, slide 46",
                  "small K: too many global accesses; large K: not enough parallelism", "both"},
                 {formula_test("algoparc", {"A_g of GPU-MMS at K = 4 over K = 16, N = 2^28", "x", longer()},
                               [] {
                                   const auto count = [](double lists) {
                                       double sum = 0;
                                       for (const spt::Term& term : mms_estimate("algoparc", lists).terms)
                                           sum += term.symbol == "g" ? term.count : 0;
                                       return sum;
                                   };
                                   return count(4) / count(16);
                               }),
                  formula_test("algoparc", {"M_o at K = 4 over K = 16", "x", longer()}, [] {
                      return mms_estimate("algoparc", 4).terms.front().oversubscription /
                             mms_estimate("algoparc", 16).terms.front().oversubscription;
                  })}));
}

}  // namespace

void add_karsin_sort_counts(std::vector<Claim>& claims) {
    add_pairwise(claims);
    add_multiway(claims);
    add_formulas(claims);
}

}  // namespace sassafras::validate::claims
