// Chapter 6: accesses and conflicts of the searches.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

namespace {

constexpr std::uint64_t counted_queries = 1U << 16U;
constexpr std::int64_t global_keys = 1 << 20;

/// Words of the blocks that a search moves, beside the queries and results (a sector of 8 for 8 of each).
double sectors_a_query(const RunResult& run) {
    constexpr double of_query_and_result = 2.0 / 8;
    return run.profiles[0].global_sectors / static_cast<double>(counted_queries) - of_query_and_result;
}

RunSpec in_global_counted(const std::string& layout, Parameters more) {
    Parameters parameters{{"K", global_keys}, {"b", 128}, {"Q", 64}};
    parameters.insert(parameters.end(), more.begin(), more.end());
    return with_counts({"h200", "search", layout, counted_queries, parameters});
}

void add_layouts(std::vector<Claim>& claims) {
    const RunSpec sorted = in_global_counted("sorted", {});
    claims.push_back(claim_of(
        {"sorted-accesses", "Karsin 6.1.1, p. 49",
         "a search of a sorted list takes ceil(log(N / w)) + 1 accesses of global memory, each lane its own block",
         "16 of 2^20 keys", Cause::model},
        {counting_test({"sectors a query, 2^20 keys, 2^16 queries", "", within_a_tenth(16)}, {sorted},
                       [sorted](const Evidence& evidence) { return sectors_a_query(evidence.run(sorted)); })},
        "in the first steps the lanes of a warp read the same few keys"));
    claims.push_back(claim_of(
        {"sorted-bandwidth-bound", "Karsin 6.1.1, p. 49",
         "its accesses are bound by bandwidth: 1 / B_g > ceil(L_g / (M w)), on all three machines", "3"},
        {formula_test("algoparc, gibson, uhhpc", {"on how many", "", exactly(3)}, [] {
            double found = 0;
            for (const spt::Instance& instance : spt::built_in_instances())
                found += bound_of(estimate_on(instance.name, spt::sorted_search(instance, {268435456, 1e8, 256})),
                                  "g") == spt::Bound::bandwidth
                             ? 1
                             : 0;
            return found;
        })}));
    const RunSpec bst = in_global_counted("bst", {{"M_TB", 16384}});
    claims.push_back(claim_of(
        {"bst-accesses", "Karsin 6.1.2, p. 50",
         "with the top of a BST in shared memory a query takes ceil(log(N / M_TB)) accesses of global memory",
         "6 of 2^20 keys"},
        {counting_test({"sectors a query, 2^20 keys, M_TB = 2^14, less those that load the top", "", within_a_tenth(6)},
                       {bst}, [bst](const Evidence& evidence) {
                           const RunResult& run = evidence.run(bst);
                           constexpr double sectors_of_top = 16384.0 / 8;
                           return sectors_a_query(run) -
                                  run.profiles[0].blocks * sectors_of_top / static_cast<double>(counted_queries);
                       })}));
    const RunSpec btree = in_global_counted("btree", {{"M_TB", 1088}});
    claims.push_back(
        claim_of({"btree-accesses", "Karsin 6.1.3, p. 51",
                  "of a B-tree with nodes of w keys a query reads ceil(log_{w+1}(N / M_TB)) nodes in global memory",
                  "2 of 2^20 keys"},
                 {counting_test({"nodes of four sectors a query, 2^20 keys, M_TB of two levels (1,088), less the top",
                                 "", within_a_tenth(2)},
                                {btree}, [btree](const Evidence& evidence) {
                                    const RunResult& run = evidence.run(btree);
                                    constexpr double sectors_of_top = 1088.0 / 8;
                                    constexpr double sectors_a_node = 4;
                                    return (sectors_a_query(run) - run.profiles[0].blocks * sectors_of_top /
                                                                       static_cast<double>(counted_queries)) /
                                           sectors_a_node;
                                })}));
}

RunSpec in_shared_counted(const std::string& variant, std::int64_t keys, const std::string& input) {
    return with_conflicts({"h200", "search", variant, counted_queries, {{"K", keys}, {"b", 256}}, input});
}

/// Accesses that a warp's search of w queries takes in the phases, with conflicts.
double accesses_of_warp(const RunResult& run, std::initializer_list<const char*> phases) {
    double sum = 0;
    for (const char* phase : phases)
        if (const auto found = run.phases.find(phase); found != run.phases.end()) sum += found->second.wavefronts;
    return sum / (static_cast<double>(counted_queries) / warp_lanes);
}

Test accesses_test(const Wanted& wanted, const RunSpec& run, std::initializer_list<const char*> phases) {
    return counting_test(wanted, {run}, [run, list = std::vector<const char*>(phases)](const Evidence& evidence) {
        double sum = 0;
        for (const char* phase : list) sum += accesses_of_warp(evidence.run(run), {phase});
        return sum;
    });
}

void add_theorem(std::vector<Claim>& claims) {
    constexpr double squares = 1024;  // w^2
    claims.push_back(claim_of(
        {"theorem-6-2-1", "Karsin theorem 6.2.1, p. 55",
         "for every list of N >= 2 w^2 keys there are queries on which a warp of PBS takes w log(N / w^2) accesses",
         "N = 3,000: 49.6"},
        {accesses_test({"accesses of a warp's search, worst queries, N = 3,000, no multiple of w^2", "",
                        at_least(warp_lanes * std::log2(3000 / squares))},
                       in_shared_counted("pbs", 3000, "worst"), {"search: reads"})}));
    claims.push_back(claim_of(
        {"corollary-6-2-1", "Karsin corollary 6.2.1, p. 56", "w log(N / w) accesses if w^2 divides N",
         "N = 4,096: 224"},
        {accesses_test({"accesses of a warp's search, worst queries, N = 4,096", "",
                        at_least(warp_lanes * std::log2(4096 / warp_lanes))},
                       in_shared_counted("pbs", 4096, "worst"), {"search: reads"}),
         showing(accesses_test({"the same, random queries", "", at_least(warp_lanes * std::log2(4096 / warp_lanes))},
                               in_shared_counted("pbs", 4096, "random"), {"search: reads"}))},
        "the search has 12 steps; 7 of them cost 32 accesses each"));
    claims.push_back(
        claim_of({"pbs-loses-a-factor-w", "Karsin 6.2.1, p. 57",
                  "in the worst case PBS loses up to a factor of w = 32 to conflicts", "at most 32"},
                 {counting_test(
                     {"accesses over requests, worst queries, N = 4,096", "x", {16, 32}},
                     {in_shared_counted("pbs", 4096, "worst")}, [](const Evidence& evidence) {
                         return evidence.run(in_shared_counted("pbs", 4096, "worst")).phases.at("search: reads").beta();
                     })}));
}

void add_conflict_free(std::vector<Claim>& claims) {
    Claim free = claim_of({"pbs-cf-conflict-free", "Karsin 6.2.2, p. 57", "PBS-CF has no bank conflicts", "1"}, {});
    for (const char* input : {"random", "worst"}) {
        const RunSpec run = in_shared_counted("pbs-cf", 4096, input);
        free.tests.push_back(counting_test(
            {fmt::format("accesses a request of both stages, {} queries, N = 4,096", input), "", {1, 1.0005}}, {run},
            [run](const Evidence& evidence) {
                const auto& phases = evidence.run(run).phases;
                const SharedRequests& one = phases.at("search: stage 1");
                const SharedRequests& two = phases.at("search: stage 2");
                return (one.wavefronts + two.wavefronts) / (one.requests + two.requests);
            }));
    }
    claims.push_back(free);
    claims.push_back(claim_of(
        {"pbs-cf-accesses", "Karsin 6.2.2, p. 57", "it takes log(N / w) + w accesses a query", "N = 4,096: 39"},
        {accesses_test({"accesses of a warp's search, random queries", "", within_a_tenth(39)},
                       in_shared_counted("pbs-cf", 4096, "random"), {"search: stage 1", "search: stage 2"})}));
    claims.push_back(claim_of(
        {"pbs-cl-worst-stage-2", "Karsin 6.2.3, p. 59; figure 6.6",
         "the second stage of PBS-CL takes at most w - 1 accesses", "31"},
        {accesses_test({"accesses of a warp's second stage, worst queries, N = 4,096", "", at_most(warp_lanes - 1)},
                       in_shared_counted("pbs-cl", 4096, "worst"), {"search: stage 2"}),
         accesses_test({"the same, random queries", "", at_most(warp_lanes - 1)},
                       in_shared_counted("pbs-cl", 4096, "random"), {"search: stage 2"})}));
    claims.push_back(claim_of(
        {"pbs-cl-best-case", "Karsin 6.2.3, p. 59", "in the best case PBS-CL has no bank conflicts", "1"},
        {counting_test({"accesses a request of both stages, equal queries, N = 4,096", "", {1, 1.0005}},
                       {in_shared_counted("pbs-cl", 4096, "equal")}, [](const Evidence& evidence) {
                           const auto& phases = evidence.run(in_shared_counted("pbs-cl", 4096, "equal")).phases;
                           const SharedRequests& one = phases.at("search: stage 1");
                           const SharedRequests& two = phases.at("search: stage 2");
                           return (one.wavefronts + two.wavefronts) / (one.requests + two.requests);
                       })}));
}

void add_queries(std::vector<Claim>& claims) {
    const RunSpec run = with_counts({"h200", "search", "pbs", 1U << 20U, {{"K", 4096}, {"b", 256}, {"Q", 64}}});
    claims.push_back(claim_of(
        {"search-reads-queries-once", "Karsin 6.2, p. 53",
         "with keys in shared memory a search accesses global memory once for each query: A_g = Q / P", "1",
         Cause::model},
        {counting_test(
            {"words of the sectors moved a query, 4,096 keys, 2^20 queries, 64 a thread", "", within_a_tenth(1)}, {run},
            [run](const Evidence& evidence) {
                constexpr double all = 1U << 20U;
                return evidence.run(run).profiles[0].global_sectors * words_a_sector / all;
            })},
        "each result is written, too, and each block loads the keys: the formula leaves both out"));
}

}  // namespace

void add_karsin_search_counts(std::vector<Claim>& claims) {
    add_layouts(claims);
    add_theorem(claims);
    add_conflict_free(claims);
    add_queries(claims);
}

}  // namespace sassafras::validate::claims
