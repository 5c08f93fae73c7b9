// Chapter 6.
#include <algorithm>
#include <cmath>

#include "validate/models/spt/formulas.hpp"
#include "validate/models/spt/logarithms.hpp"
#include "validate/models/spt/room.hpp"

namespace sassafras::validate::spt {

namespace {

constexpr auto whole = LatencyRounding::whole_cycles;

/// M_o = M b / (words P), a block of b threads using `words` of shared memory (4.7 for words = b E; 6.1.2; 6.2).
/// reconstructed: no more than the hardware holds.
Kernel searching_kernel(const Instance& instance, double threads, double words, Reading reading, const char* smaller) {
    const double printed = instance.shared_words * threads / (words * instance.cores);
    Kernel kernel;
    kernel.name = "search";
    kernel.oversubscription = reading == Reading::printed ? printed : std::min(printed, instance.threads_per_core);
    kernel.lack = lack_of_room(instance, printed, words);
    kernel.smaller = smaller;
    return kernel;
}

/// Searches in shared memory: each query is read once, coalesced.
Algorithm in_shared_memory(const Instance& instance, Searches size, Reading reading, std::string name,
                           std::vector<OperationCount> shared) {
    Kernel kernel = searching_kernel(instance, size.threads, size.keys, reading, "K, or more threads b");
    kernel.operations.push_back({"g", "queries", size.queries / instance.cores});
    for (OperationCount& count : shared) kernel.operations.push_back(std::move(count));
    return {std::move(name), {std::move(kernel)}, {"results are not counted as written, as in 6.2"}};
}

}  // namespace

Algorithm sorted_search(const Instance& instance, Searches size) {
    const double lanes = instance.warp_lanes;
    const double steps = ceil_log2(size.keys / lanes) + 1;
    Kernel kernel{"search", 1, instance.threads_per_core, {}};
    kernel.operations = {{"g", "uncoalesced", size.queries * lanes / instance.cores * steps, lanes, whole}};
    return {"search sorted", {std::move(kernel)}, {"M_o is the hardware's most; the thesis gives none (6.1.1)"}};
}

Algorithm bst_search(const Instance& instance, Searches size, double top_keys, Reading reading) {
    const double lanes = instance.warp_lanes;
    const double cores = instance.cores;
    const double levels = ceil_log2(size.keys / top_keys) + (reading == Reading::reconstructed ? 1 : 0);
    Kernel kernel = searching_kernel(instance, size.threads, top_keys, reading, "M_TB, or more threads b");
    kernel.operations = {
        {"g", "top of the tree", instance.shared_words / cores, lanes, whole},
        {"g", "uncoalesced", size.queries * lanes / cores * levels, lanes, whole},
        {"s", "top of the tree", instance.shared_words / cores, 1, whole},
        {"s", "search", size.queries / cores * ceil_log2(top_keys), 1, whole},
    };
    return {
        "search bst", {std::move(kernel)}, {"printed: T_g without the + 1 of A_g (6.1.2); conflicts: none assumed"}};
}

Algorithm btree_search(const Instance& instance, Searches size, double top_keys, Reading reading) {
    const double lanes = instance.warp_lanes;
    const double cores = instance.cores;
    const double levels = ceil_log(lanes + 1, size.keys / top_keys);
    const double shared_steps = std::ceil(std::log(size.keys) / std::log(lanes + 1) * std::log2(lanes));
    Kernel kernel = searching_kernel(instance, size.threads, top_keys, reading, "M_TB, or more threads b");
    kernel.operations = {
        {"g", "top of the tree", instance.shared_words / cores, lanes},
        {"g", "nodes", size.queries * lanes / cores * levels, lanes},
        {"s", "top of the tree", instance.shared_words / cores, 1},
        {"s", "search", size.queries / cores * std::max(shared_steps, 0.0), 1},
    };
    return {"search btree", {std::move(kernel)}, {"conflicts: none assumed"}};
}

Algorithm pbs(const Instance& instance, Searches size, double beta, Reading reading) {
    return in_shared_memory(instance, size, reading, "search pbs",
                            {{"s", "search", beta * size.queries / instance.cores * log2_or_zero(size.keys)}});
}

Algorithm pbs_conflict_free(const Instance& instance, Searches size, Reading reading) {
    const double lanes = instance.warp_lanes;
    const double count = size.queries / instance.cores * (log2_or_zero(size.keys / lanes) + lanes);
    OperationCount shared{"s", "search", count};
    Algorithm algorithm = in_shared_memory(instance, size, reading, "search pbs-cf", {});
    if (reading == Reading::printed) {
        const Operation* global = instance.find("g");
        const Operation* local = instance.find("s");
        // L_g / M in the place of L_s / M: the same as M smaller by L_s / L_g.
        if (global != nullptr && local != nullptr && global->latency_cycles > 0 && local->latency_cycles > 0)
            shared.ilp = local->latency_cycles / global->latency_cycles;
        algorithm.notes.emplace_back("printed: L_g in the time of a shared access (6.2.2), shown as M_I = L_s / L_g");
    }
    algorithm.kernels.front().operations.push_back(std::move(shared));
    return algorithm;
}

Algorithm pbs_conflict_limited(const Instance& instance, Searches size, double beta, Reading reading) {
    const double each = size.queries / instance.cores;
    const double lanes = instance.warp_lanes;
    const double second = std::min(log2_or_zero(size.keys), std::log2(lanes));
    return in_shared_memory(
        instance, size, reading, "search pbs-cl",
        {{"s", "stage 1", each * log2_or_zero(size.keys / lanes)}, {"s", "stage 2", beta * each * second}});
}

double worst_pbs_beta(double keys, double warp_lanes) {
    const double steps = log2_or_zero(keys);
    if (steps == 0) return 1;
    const bool whole_squares = std::fmod(keys, warp_lanes * warp_lanes) == 0;
    const double bad = std::max(log2_or_zero(keys / (whole_squares ? warp_lanes : warp_lanes * warp_lanes)), 0.0);
    return (warp_lanes * bad + (steps - bad)) / steps;
}

}  // namespace sassafras::validate::spt
