// Chapter 7.
#include <algorithm>
#include <cmath>
#include <utility>

#include "validate/models/spt/formulas.hpp"
#include "validate/models/spt/logarithms.hpp"
#include "validate/models/spt/own_method.hpp"
#include "validate/models/spt/room.hpp"

namespace sassafras::validate::spt {

namespace {

constexpr double register_operations_a_swap = 3;  // 7.1.2, 7.3.2

}  // namespace

Algorithm mgpu_mergesort(const Instance& instance, const PairwiseSort& sort, Reading reading) {
    const double keys = sort.keys;
    const double each = sort.per_thread;
    const double tile = sort.threads * each;
    const double passes = 2 * keys / instance.cores;  // each key read and written once
    const double rounds = ceil_log2(keys / tile);
    // The sum of log2 i over the rounds, as 7.1.2 approximates it.
    const double log_tiles = log2_or_zero(keys / tile);
    const double steps = std::max(std::ceil(log_tiles * log_tiles) - std::ceil(log2_or_zero(keys * tile)), 0.0);
    const bool printed = reading == Reading::printed;

    Kernel kernel;
    kernel.name = "base case and merges";
    kernel.launches = rounds + 1;
    kernel.oversubscription = instance.shared_words / (instance.cores * each) * (printed ? 1 : 4);
    kernel.lack = lack_of_room(instance, kernel.oversubscription, tile);
    kernel.smaller = "E or b";
    constexpr double paired = 2;  // "effectively doubles M_I" of global accesses (7.1.3)
    kernel.operations = {
        {"g", "merge", passes * (rounds + 1), paired},
        {"g", "partition", passes * instance.warp_lanes * steps / (4 * tile), paired},
        {"s", "search", passes * sort.search_beta * ceil_log2(tile) / each, 1},
        {"s", "merge", passes * sort.merge_beta * ceil_log2(keys / each), 1},
        {"r", "base case", register_operations_a_swap * keys * each / (2 * instance.cores), 1},
        {"y", "", (printed ? keys : 2 * keys / each) / instance.cores * (rounds + 1), 1},
    };
    Algorithm algorithm{"sort mgpu", {std::move(kernel)}, {}};
    algorithm.notes.emplace_back(
        printed ? "as printed in 7.1.3; the claims of 7.1.4 do not come out (docs/spt.md)"
                : "M four times as large as printed, A_y = 2 N / (P E) a round: then the claims of "
                  "7.1.4 come out on ALGOPARC (docs/spt.md)");
    algorithm.notes.emplace_back("the search in shared memory is counted once, not once a round, as in 7.1.3");
    return algorithm;
}

Algorithm block_sort_and_merges(const Instance& instance, const BlockSort& sort) {
    const double cores = instance.cores;
    const double lanes = instance.warp_lanes;
    const double log_lanes = std::log2(lanes);
    const double all = sort.keys / cores;
    Kernel base;
    double tile = 0;  // keys that a block sorts
    if (sort.network) {
        tile = 2 * sort.threads;
        const double steps = ceil_log2(tile) * (ceil_log2(tile) + 1) / 2;
        base = {"bitonic", 1, bounded(instance, std::min(instance.shared_words / (2 * cores), all / 2)), {}};
        base.lack = lack_of_room(instance, instance.shared_words / (2 * cores), tile);
        base.smaller = "b";
        base.operations = {{"g", "base case", 2 * all, 2},
                           {"s", "base case", (2 * steps + 2) * all, 2},  // in and out too
                           {"y", "base case", (steps + 1) * all / 2, 1}};
    } else {
        tile = lanes * lanes;
        const double lines = 2 * log_lanes + 1;                    // rows and columns that each key is sorted in
        const double exchanges = log_lanes * (log_lanes + 1) / 4;  // a key and line
        constexpr double operations_an_exchange = 2;               // minimum and maximum
        base = {"shearsort", 1, bounded(instance, std::min(instance.shared_words / (lanes * cores), all / lanes)), {}};
        base.operations = {{"g", "base case", 2 * all, lanes},
                           {"s", "base case", 2 * lines * all, lanes},  // a write and a read behind each
                           {"r", "base case", operations_an_exchange * exchanges * lines * all, lanes / 2}};
    }
    const PairwiseSort& merge = sort.merge;
    const double merged = merge.threads * merge.per_thread;
    double rounds = 0;
    double steps = 0;  // of a partition's search, all rounds
    for (double run = tile; run < sort.keys; run *= 2) {
        ++rounds;
        steps += ceil_log2(2 * run);
    }
    Algorithm algorithm{sort.network ? "sort bitonic" : "sort shearsort", {std::move(base)}, {}};
    if (rounds > 0) {
        Kernel merges{"merges",
                      rounds,
                      bounded(instance, std::min(instance.shared_words, sort.keys) / (cores * merge.per_thread)),
                      {}};
        merges.operations = {
            {"g", "merge", 2 * all * rounds, 2},
            {"g", "partition", all * lanes * steps / merged, 2},
            {"s", "search", 2 * all * merge.search_beta * ceil_log2(merged) / merge.per_thread * rounds, 1},
            {"s", "merge", 2 * all * merge.merge_beta * rounds, 1},
            {"y", "", 2 * all / merge.per_thread * rounds, 1},
        };
        algorithm.kernels.push_back(std::move(merges));
    }
    algorithm.notes.emplace_back(ours);
    algorithm.notes.emplace_back("merges as in 7.1.2, the search in shared memory once a round, two barriers a round");
    return algorithm;
}

Algorithm koike_sadakane_mergesort(const Instance& instance, MultiwaySort sort, Reading reading) {
    constexpr auto whole = LatencyRounding::whole_cycles;
    const double cores = instance.cores;
    const double lanes = instance.warp_lanes;
    const double log_lanes = std::log2(lanes);
    const double each = sort.keys / cores;
    const double rounds = ceil_log(sort.ways, sort.keys / lanes);
    Kernel kernel;
    kernel.name = "base case and merges";
    kernel.launches = rounds + 1;
    kernel.oversubscription = instance.shared_words / (4 * sort.ways * cores - 2 * cores);
    kernel.lack = lack_of_room(instance, kernel.oversubscription, 2 * lanes * (2 * sort.ways - 1));
    kernel.smaller = "K";
    kernel.operations = {{"g", "base case", 2 * each, 1, whole},
                         {"g", "merge", 2 * each * rounds, 1, whole},
                         {"s", "base case", 2 * each * log_lanes * log_lanes, 1, whole}};
    if (reading == Reading::printed)
        kernel.operations.push_back({"s", "merge", 4 * each * log_lanes * ceil_log2(sort.keys), 1, whole});
    else
        kernel.operations.push_back({"s", "merge", 4 * each * log_lanes * ceil_log2(sort.ways) * rounds, 1, whole});
    return {"sort koike-sadakane",
            {std::move(kernel)},
            {"partitions are left out, as in 7.2.2; M_I = 1; no register operations, no barriers"}};
}

Algorithm gpu_mms(const Instance& instance, MultiwaySort sort, Reading reading) {
    const double cores = instance.cores;
    const double lanes = instance.warp_lanes;
    const double log_lanes = std::log2(lanes);
    const double each = sort.keys / cores;
    const double rounds = ceil_log(sort.ways, sort.keys / (lanes * lanes));
    const double pipelined = std::max(std::log2(sort.ways), 1.0);  // M_I of shared accesses and registers (7.3.3)
    // Levels of heaps that a key passes: 7.3.2 replaces the product by ceil(log(N / w^2)).
    const double levels =
        reading == Reading::printed ? ceil_log2(sort.keys / (lanes * lanes)) : ceil_log2(sort.ways) * rounds;
    Kernel kernel;
    kernel.name = "base case and merges";
    kernel.launches = rounds + 1;
    kernel.oversubscription = instance.shared_words / (2 * sort.ways * cores - cores);
    kernel.lack = lack_of_room(instance, kernel.oversubscription, lanes * (2 * sort.ways - 1));
    kernel.smaller = "K";
    kernel.operations = {
        {"g", "base case", 2 * each, 1},
        {"g", "merge", 2 * each * rounds, 1},
        {"s", "base case", 4 * each * log_lanes, pipelined},
        {"s", "merge", 4 * each * levels, pipelined},
        {"r", "base case", 2 * each * log_lanes * log_lanes * log_lanes, pipelined},
        {"r", "merge", 2 * register_operations_a_swap * each * levels * log_lanes, pipelined},
    };
    return {"sort mms", {std::move(kernel)}, {"rounds log_K(N / w^2) as in T of 7.3.3; A_g of 7.3.2 has log_K(N / w)"}};
}

}  // namespace sassafras::validate::spt
