// Launches of the multiway mergesorts: a base case, then rounds that merge K runs at a time. Where a round has fewer
// tasks than warps that could work, a partition kernel first cuts each task into parts.
#include <algorithm>

#include <fmt/format.h>

#include "workloads/cubins.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/sort/launches.hpp"

namespace sassafras::workloads::sort {
namespace {

constexpr std::uint32_t w = 32;
constexpr std::uint32_t base_block = w * w;

/// As multiway.cuh has it.
struct Round {
    std::uint32_t n;
    std::uint32_t run;
    std::uint32_t task;
    std::uint32_t parts;
    std::uint32_t part;
};

Round round_of(const Job& job, std::uint32_t run) {
    const std::uint32_t K = job.plan.K;
    const auto task = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{run} * K, job.n));
    const std::uint32_t tasks = blocks_for(job.n, task);
    const std::uint32_t wanted = std::max(1U, job.plan.blocks / tasks);
    // Filling a heap takes up to 2K blocks of w: a part has at least as much again to do. A multiple of w, so that
    // blocks are written whole and where sectors begin.
    const std::uint32_t least = std::max(base_block, 2 * K * w);
    const std::uint32_t part = std::max(least, blocks_for(blocks_for(task, wanted), w) * w);
    return {job.n, run, task, blocks_for(task, part), part};
}

Result<void> launch_warps(Job& job, sim::ModuleId module, const std::string& kernel, std::uint32_t warps,
                          sim::Arguments arguments) {
    sim::Launch launch;
    launch.module = module;
    launch.kernel = kernel;
    launch.grid = {warps, 1, 1};
    launch.block = {w, 1, 1};
    launch.arguments = std::move(arguments);
    return job.device.launch(launch);
}

}  // namespace

Result<std::uint64_t> launch_multiway(Job& job) {
    const bool mms = job.plan.algorithm == Algorithm::mms;
    const std::string_view order = name_of(job.plan.compared_as);
    const std::string prefix = mms ? "mms" : "koike_sadakane";
    const std::string suffix = fmt::format("_{}_K{}", order, job.plan.K);
    const std::uint32_t base_run = mms ? base_block : w;
    std::uint64_t in = job.from;
    std::uint64_t out = job.to;

    const auto module =
        mms ? load_cubin(job.device, cubins::sort_mms(), "workloads/sort/sort_mms.cubin")
            : load_cubin(job.device, cubins::sort_koike_sadakane(), "workloads/sort/sort_koike_sadakane.cubin");
    if (!module) return module.error();
    const auto base_module =
        mms ? load_cubin(job.device, cubins::sort_block(), "workloads/sort/sort_block.cubin") : module;
    if (!base_module) return base_module.error();
    sim::Arguments of_base;
    of_base.add(in).add(out).add(job.n);
    if (auto launched =
            launch_warps(job, *base_module, mms ? fmt::format("shearsort_{}", order) : "koike_sadakane_base_u32",
                         blocks_for(job.n, base_block), std::move(of_base));
        !launched)
        return launched.error();

    for (std::uint64_t run = base_run; run < job.n; run *= job.plan.K) {
        std::swap(in, out);
        const Round round = round_of(job, static_cast<std::uint32_t>(run));
        const std::uint32_t tasks = blocks_for(round.n, round.task);
        std::uint64_t splits = 0;
        if (round.parts > 1) {
            const std::uint32_t boundaries = tasks * (round.parts + 1);
            const auto allocated = job.allocate_words(std::uint64_t{boundaries} * job.plan.K);
            if (!allocated) return allocated.error();
            splits = *allocated;
            sim::Arguments of_partition;
            of_partition.add(in).add(round).add(splits);
            if (auto launched =
                    launch_warps(job, *module, prefix + "_partition" + suffix, boundaries, std::move(of_partition));
                !launched)
                return launched.error();
        }
        sim::Arguments of_merge;
        of_merge.add(in).add(out).add(round).add(splits);
        if (auto launched =
                launch_warps(job, *module, prefix + "_merge" + suffix, tasks * round.parts, std::move(of_merge));
            !launched)
            return launched.error();
    }
    return out;
}

}  // namespace sassafras::workloads::sort
