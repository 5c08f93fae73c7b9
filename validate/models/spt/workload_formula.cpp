#include "validate/models/spt/workload_formula.hpp"

#include <cmath>

#include <fmt/format.h>

#include "workloads/merge/co_rank.hpp"

namespace sassafras::validate::spt {

namespace {

using workloads::Selection;

double parameter(const Selection& selection, const char* name, double otherwise) {
    const auto found = selection.parameters.find(name);
    return found == selection.parameters.end() ? otherwise : static_cast<double>(found->second);
}

Error no_formula(const std::string& workload, const Selection& selection) {
    return {ErrorKind::bad_input, fmt::format("there is no formula for {} {}", workload, selection.variant), workload,
            "--counts measured takes the counts from a functional run"};
}

Result<Algorithm> gemm(const Selection& selection, const Instance& instance) {
    const auto n = static_cast<double>(selection.n);
    const Matrices size{parameter(selection, "M", n), n, parameter(selection, "K", n)};
    if (selection.variant.ends_with("regtile")) return register_tiled_gemm(instance, size);
    constexpr double magma_tile = 96;
    constexpr double simple_tile = 16;
    constexpr double threads = 256;
    if (selection.variant == "naive" || selection.variant == "parboil-base") return naive_gemm(instance, size);
    if (selection.variant == "tiled") {
        Algorithm algorithm = magma_gemm(instance, size, {simple_tile, simple_tile, threads}, false);
        algorithm.name = "gemm tiled";
        return algorithm;
    }
    Algorithm algorithm = magma_gemm(instance, size,
                                     {parameter(selection, "N_TB", magma_tile),
                                      parameter(selection, "lambda", simple_tile), parameter(selection, "b", threads)},
                                     true);
    if (selection.variant != "magma")
        algorithm.notes.emplace_back("MAGMA's formula with this variant's N_TB, lambda and b");
    return algorithm;
}

Result<Algorithm> search(const Selection& selection, const Instance& instance, Reading reading, const Betas& betas) {
    const std::string& variant = selection.variant;
    const bool global = variant == "sorted" || variant == "bst" || variant == "btree";
    constexpr double shared_keys = 4096;
    constexpr double global_keys = 1 << 20;
    constexpr double top_keys = 1 << 14;  // M_TB on all three machines (6.1.2)
    constexpr double default_threads = 256;
    const Searches size{parameter(selection, "K", global ? global_keys : shared_keys), static_cast<double>(selection.n),
                        parameter(selection, "b", default_threads)};
    if (size.keys < 1) return Error{ErrorKind::bad_input, "a search needs a key", "search", "give --K 1 or more"};
    const double top = parameter(selection, "M_TB", top_keys);
    if ((variant == "bst" || variant == "btree") && top < 1)
        return Error{ErrorKind::bad_input, "the formula needs a tree whose top is in shared memory",
                     "search " + variant, "give --M_TB 1 or more"};
    if (variant == "sorted") return sorted_search(instance, size);
    if (variant == "bst") return bst_search(instance, size, top, reading);
    if (variant == "btree") return btree_search(instance, size, top, reading);
    const double beta =
        betas.search.value_or(selection.input == "worst" ? worst_pbs_beta(size.keys, instance.warp_lanes) : 1);
    if (variant == "pbs-cf") return pbs_conflict_free(instance, size, reading);
    if (variant == "pbs-cl") {
        const double worst = (instance.warp_lanes - 1) / std::log2(instance.warp_lanes);
        return pbs_conflict_limited(instance, size, betas.search.value_or(selection.input == "worst" ? worst : 1),
                                    reading);
    }
    if (variant == "pbs") return pbs(instance, size, beta, reading);
    Algorithm algorithm = pbs(instance, size, betas.search.value_or(1), reading);
    algorithm.name = "search " + variant;
    algorithm.notes.emplace_back("the formula of pbs");
    return algorithm;
}

Result<Algorithm> sort(const Selection& selection, const Instance& instance, Reading reading, const Betas& betas) {
    const std::string& variant = selection.variant;
    const auto keys = static_cast<double>(selection.n);
    constexpr double default_ways = 8;
    const double default_each = variant == "mgpu-words" ? 16 : 15;
    constexpr double default_threads = 128;
    if (keys < 1) return Error{ErrorKind::bad_input, "a sort needs a key", "sort", "give --n 1 or more"};
    const MultiwaySort multiway{keys, parameter(selection, "K", default_ways)};
    if (variant == "mms") return gpu_mms(instance, multiway, reading);
    if (variant == "koike-sadakane") return koike_sadakane_mergesort(instance, multiway, reading);
    PairwiseSort pairwise{keys, parameter(selection, "E", default_each), parameter(selection, "b", default_threads)};
    pairwise.search_beta = betas.search.value_or(pairwise.search_beta);
    pairwise.merge_beta = betas.merge.value_or(variant == "cf-merge" ? 1 : pairwise.merge_beta);
    if (variant == "shearsort" || variant == "bitonic") {
        constexpr double network_threads = 512;
        BlockSort blocks{keys, variant == "bitonic", parameter(selection, "b", network_threads), pairwise};
        blocks.merge.threads = default_threads;  // b is the network's
        return block_sort_and_merges(instance, blocks);
    }
    Algorithm algorithm = mgpu_mergesort(instance, pairwise, reading);
    if (variant != "mgpu") {
        algorithm.name = "sort " + variant;
        algorithm.notes.emplace_back("the formula of mgpu" +
                                     std::string(variant == "cf-merge" ? ", merges free of conflicts" : ""));
    }
    return algorithm;
}

Result<Algorithm> merge(const Selection& selection, const Instance& instance, const Betas& betas) {
    constexpr double default_each = 17;  // outputs of a thread and iteration, as the workload chooses
    constexpr double default_threads = 128;
    MergeByCoRanks merge;
    merge.keys = static_cast<double>(selection.n);
    merge.threads = parameter(selection, "b", default_threads);
    merge.beta = betas.merge.value_or(1);
    const auto* variant = workloads::merge::find_co_rank_variant(selection.variant);
    const double most_blocks = instance.cores * instance.threads_per_core / merge.threads;
    if (variant == nullptr) {
        merge.per_thread = parameter(selection, "E", default_each);
        return co_rank_merge(instance, merge);
    }
    merge.half = variant->half;
    merge.buffers = static_cast<double>(variant->buffering);
    merge.blocks = parameter(selection, "blocks", most_blocks);
    if (variant->buffers == 0) {
        merge.per_thread = merge.keys / (merge.blocks * merge.threads);
        if (merge.per_thread < 1) merge.per_thread = 1;
    } else {
        merge.per_thread = default_each;
        if (const double bytes = parameter(selection, "S", 0); bytes > 0)
            merge.per_thread =
                static_cast<double>(workloads::merge::outputs_of_iteration(*variant, static_cast<std::uint64_t>(bytes),
                                                                           static_cast<std::uint64_t>(merge.threads))) /
                merge.threads;
        if (merge.per_thread <= 0)
            return Error{ErrorKind::bad_input, "this shared memory has no room for an output", "merge --S",
                         "give more bytes"};
    }
    Algorithm algorithm = co_rank_merge(instance, merge);
    algorithm.name = "merge " + selection.variant;
    if (variant->printed && variant->buffers != 0)
        algorithm.notes.emplace_back("the formula of outputs that are staged, which these are not");
    return algorithm;
}

Result<Algorithm> ode(const Selection& selection, const Instance& instance) {
    constexpr double default_steps = 8;
    const std::string& variant = selection.variant;
    // Spilled registers and arrays in global memory have none.
    if (variant.starts_with("opt") || variant.ends_with("-63")) return no_formula("ode", selection);
    const bool staged = variant == "shared" || variant == "registers" || variant == "float-literals";
    const bool in_registers = variant == "registers" || variant == "float-literals" || variant.starts_with("unrolled");
    return kinetic_scheme(instance, {static_cast<double>(selection.n), parameter(selection, "T", default_steps),
                                     staged || variant == "coalesced", staged, in_registers});
}

}  // namespace

Result<Algorithm> formula_of(const std::string& workload, const Selection& selection, const Instance& instance,
                             Reading reading, const Betas& betas) {
    constexpr double scan_threads = 256;
    if (workload == "gemm") return gemm(selection, instance);
    if (workload == "search") return search(selection, instance, reading, betas);
    if (workload == "sort") return sort(selection, instance, reading, betas);
    if (workload == "merge") return merge(selection, instance, betas);
    const auto n = static_cast<double>(selection.n);
    if (workload == "scan") {
        const double threads = parameter(selection, "b", scan_threads);
        if (selection.variant == "unpadded") return prefix_sums(instance, ScanKind::unpadded, n, threads);
        if (selection.variant == "padded") return prefix_sums(instance, ScanKind::padded, n, threads);
        if (selection.variant == "three-phase") return prefix_sums(instance, ScanKind::three_phase, n, threads);
        constexpr double default_colors = 8;
        return colored_prefix_sums(instance, n, parameter(selection, "colors", default_colors),
                                   parameter(selection, "blocks", 0));
    }
    if (workload == "ode") return ode(selection, instance);
    if (workload == "stencil") {
        constexpr double default_steps = 2;
        const double points = n * parameter(selection, "ny", n) * parameter(selection, "nz", n);
        return stencil(instance, selection.variant.ends_with("tiled"), points, parameter(selection, "T", default_steps),
                       parameter(selection, "b", scan_threads));
    }
    return no_formula(workload, selection);
}

}  // namespace sassafras::validate::spt
