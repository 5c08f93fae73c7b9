// Launches of the pairwise mergesorts: a block sort, then a partition and a merge a round.
#include <fmt/format.h>

#include "workloads/cubins.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/sort/launches.hpp"

namespace sassafras::workloads::sort {
namespace {

constexpr std::uint32_t partition_threads = 256;

Result<void> launch(Job& job, sim::ModuleId module, std::string kernel, std::uint32_t grid, std::uint32_t block,
                    std::uint32_t shared, sim::Arguments arguments) {
    sim::Launch launch;
    launch.module = module;
    launch.kernel = std::move(kernel);
    launch.grid = {grid, 1, 1};
    launch.block = {block, 1, 1};
    launch.dynamic_shared = Bytes{shared};
    launch.arguments = std::move(arguments);
    return job.device.launch(launch);
}

/// What sorts blocks: its kernel, elements and threads a block, bytes of shared memory.
struct BlockSort {
    std::span<const std::byte> cubin;
    const char* origin = nullptr;
    std::string kernel;
    std::uint32_t tile = 0;
    std::uint32_t threads = 0;
    std::uint32_t shared = 0;
};

/// Kernels of the merges. Block sorts that have none of their own use mgpu's with E = 15 (11 if wide), b = 128.
struct Merges {
    std::span<const std::byte> cubin;
    const char* origin = nullptr;
    const char* family = nullptr;  ///< what its kernels' names begin with
    std::string suffix{};          ///< as in mgpu_merge_u32_E15_b128
    std::string kernel{};
    std::uint32_t tile = 0;
    std::uint32_t threads = 0;
    std::uint32_t shared = 0;  ///< one element more than a tile: a merge reads one ahead
};

Merges merges_of(const Plan& plan) {
    const bool own = plan.algorithm == Algorithm::mgpu || plan.algorithm == Algorithm::mgpu_words ||
                     plan.algorithm == Algorithm::cf_merge;
    Merges merges{cubins::sort_mgpu(), "workloads/sort/sort_mgpu.cubin", "mgpu"};
    if (plan.algorithm == Algorithm::cf_merge)
        merges = {cubins::sort_cf_merge(), "workloads/sort/sort_cf_merge.cubin", "cf"};
    if (plan.algorithm == Algorithm::mgpu_words)
        merges = {cubins::sort_words(), "workloads/sort/sort_words.cubin", "words"};
    merges.threads = own ? plan.b : 128;
    merges.tile = plan.E * merges.threads;
    merges.suffix = fmt::format("_{}_E{}_b{}", name_of(plan.compared_as), plan.E, merges.threads);
    merges.kernel = merges.family + ("_merge" + merges.suffix);
    merges.shared = (merges.tile + 1) * bytes_of(plan.order);
    return merges;
}

BlockSort block_sort_of(const Plan& plan, const Merges& merges) {
    if (plan.algorithm == Algorithm::shearsort)
        return {cubins::sort_block(),
                "workloads/sort/sort_block.cubin",
                fmt::format("shearsort_{}", name_of(plan.compared_as)),
                1024,
                32,
                0};
    if (plan.algorithm == Algorithm::bitonic)
        return {cubins::sort_block(),
                "workloads/sort/sort_block.cubin",
                "bitonic_u32",
                2 * plan.b,
                plan.b,
                2 * plan.b * bytes_of(plan.order)};
    return {merges.cubin, merges.origin,  merges.family + ("_blocksort" + merges.suffix),
            merges.tile,  merges.threads, merges.shared};
}

}  // namespace

Result<std::uint64_t> Job::allocate_words(std::uint64_t count) {
    auto words = DeviceBuffer<std::uint32_t>::make(device, count);
    if (!words) return words.error();
    scratch.push_back(std::move(*words));
    return scratch.back().argument();
}

Result<std::uint64_t> launch_pairwise(Job& job) {
    const Merges merges = merges_of(job.plan);
    const BlockSort blocks = block_sort_of(job.plan, merges);
    const auto block_module = load_cubin(job.device, blocks.cubin, blocks.origin);
    if (!block_module) return block_module.error();
    std::uint64_t in = job.from;
    std::uint64_t out = job.to;
    sim::Arguments of_blocks;
    of_blocks.add(in).add(out).add(job.n);
    if (auto launched = launch(job, *block_module, blocks.kernel, blocks_for(job.n, blocks.tile), blocks.threads,
                               blocks.shared, std::move(of_blocks));
        !launched)
        return launched.error();
    if (blocks.tile >= job.n) return out;

    const auto partition_module = load_cubin(job.device, cubins::sort_mgpu(), "workloads/sort/sort_mgpu.cubin");
    if (!partition_module) return partition_module.error();
    const auto merge_module = load_cubin(job.device, merges.cubin, merges.origin);
    if (!merge_module) return merge_module.error();
    // Runs that are no multiple of a tile leave a short tile in every pair, never more than one.
    const auto partitions = job.allocate_words(2 * (std::uint64_t{job.n} / merges.tile + job.n / blocks.tile + 2));
    if (!partitions) return partitions.error();
    for (std::uint32_t run = blocks.tile; run < job.n; run *= 2) {
        std::swap(in, out);
        const std::uint32_t pair_tiles = blocks_for(2 * std::uint64_t{run}, merges.tile);
        const std::uint32_t whole_pairs = job.n / (2 * run);
        const std::uint32_t tiles = whole_pairs * pair_tiles + blocks_for(job.n % (2 * run), merges.tile);
        sim::Arguments of_partition;
        of_partition.add(in).add(job.n).add(run).add(pair_tiles).add(merges.tile).add(tiles).add(*partitions);
        if (auto launched =
                launch(job, *partition_module, fmt::format("mgpu_partition_{}", name_of(job.plan.compared_as)),
                       blocks_for(tiles, partition_threads), partition_threads, 0, std::move(of_partition));
            !launched)
            return launched.error();
        sim::Arguments of_merge;
        of_merge.add(in).add(out).add(job.n).add(run).add(pair_tiles).add(*partitions);
        if (auto launched =
                launch(job, *merge_module, merges.kernel, tiles, merges.threads, merges.shared, std::move(of_merge));
            !launched)
            return launched.error();
    }
    return out;
}

}  // namespace sassafras::workloads::sort
