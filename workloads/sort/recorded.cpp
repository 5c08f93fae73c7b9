// Launches of sort.cu, the three kernels pairs that the hardware record in validate/records/h200/measured knows.
#include <fmt/format.h>

#include "workloads/cubins.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/sort/launches.hpp"

namespace sassafras::workloads::sort {

Result<std::uint64_t> launch_recorded(Job& job) {
    constexpr std::uint32_t partition_threads = 256;
    const std::uint32_t n = job.n;
    const std::uint32_t threads = job.plan.b;
    const std::uint32_t tile = job.plan.E * threads;
    const std::uint32_t tiles = blocks_for(n, tile);
    const std::string suffix = fmt::format("_E{}_b{}", job.plan.E, threads);
    std::uint64_t in = job.from;
    std::uint64_t out = job.to;
    const auto module = load_cubin(job.device, cubins::sort(), "workloads/sort/sort.cubin");
    if (!module) return module.error();
    const auto partitions = job.allocate_words(n / tile + 2);
    if (!partitions) return partitions.error();

    sim::Launch blocksort{*module, "sort_blocksort" + suffix, {tiles, 1, 1}, {threads, 1, 1}, {}, {}};
    blocksort.arguments.add(in).add(out).add(n);
    if (auto launched = job.device.launch(blocksort); !launched) return launched.error();
    for (std::uint32_t run_tiles = 1; run_tiles < tiles; run_tiles *= 2) {
        std::swap(in, out);
        const std::uint32_t boundaries = tiles + 1;
        sim::Launch partition{
            *module, "sort_partition", {blocks_for(boundaries, partition_threads), 1, 1}, {partition_threads, 1, 1}, {},
            {}};
        partition.arguments.add(in).add(n).add(run_tiles).add(tile).add(boundaries).add(*partitions);
        if (auto launched = job.device.launch(partition); !launched) return launched.error();
        sim::Launch merge{*module, "sort_merge" + suffix, {tiles, 1, 1}, {threads, 1, 1}, {}, {}};
        merge.arguments.add(in).add(out).add(n).add(run_tiles).add(*partitions);
        if (auto launched = job.device.launch(merge); !launched) return launched.error();
    }
    return out;
}

}  // namespace sassafras::workloads::sort
