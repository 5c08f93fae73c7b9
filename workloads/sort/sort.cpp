#include "workloads/sort/sort.hpp"

#include <array>

#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/inputs.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::sort {
namespace {

constexpr std::uint32_t partition_threads = 256;

std::uint32_t blocks_for(std::uint32_t items, std::uint32_t each) { return (items + each - 1) / each; }

/// The launches of one sort; gives the buffer that holds the result, `in` or `out`.
Result<std::uint64_t> launch_sort(sim::Device& device, sim::ModuleId module, const Selection& selection,
                                  std::uint64_t in, std::uint64_t out, std::uint64_t partitions) {
    const auto n = static_cast<std::uint32_t>(selection.n);
    const auto threads = static_cast<std::uint32_t>(selection.parameter("b"));
    const auto tile = static_cast<std::uint32_t>(selection.parameter("E")) * threads;
    const std::uint32_t tiles = blocks_for(n, tile);

    sim::Launch blocksort{module, "sort_blocksort_" + selection.variant, {tiles, 1, 1}, {threads, 1, 1}, {}, {}};
    blocksort.arguments.add(in).add(out).add(n);
    if (auto launched = device.launch(blocksort); !launched) return launched.error();
    for (std::uint32_t run_tiles = 1; run_tiles < tiles; run_tiles *= 2) {
        std::swap(in, out);
        const std::uint32_t boundaries = tiles + 1;
        sim::Launch partition{
            module, "sort_partition", {blocks_for(boundaries, partition_threads), 1, 1}, {partition_threads, 1, 1}, {},
            {}};
        partition.arguments.add(in).add(n).add(run_tiles).add(tile).add(boundaries).add(partitions);
        if (auto launched = device.launch(partition); !launched) return launched.error();
        sim::Launch merge{module, "sort_merge_" + selection.variant, {tiles, 1, 1}, {threads, 1, 1}, {}, {}};
        merge.arguments.add(in).add(out).add(n).add(run_tiles).add(partitions);
        if (auto launched = device.launch(merge); !launched) return launched.error();
    }
    return out;
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "sort";
    info.description =
        "pairwise mergesort of 32-bit keys: blocks sort tiles of E b keys, then rounds merge pairs of runs";
    info.size_description = "keys";
    info.default_n = 1U << 18U;
    info.greatest_n = 1U << 30U;  // so that twice a run's length fits in 32 bits
    info.variants = {{"E15_b128", {{"E", 15}, {"b", 128}}},
                     {"E17_b256", {{"E", 17}, {"b", 256}}},
                     {"E15_b512", {{"E", 15}, {"b", 512}}}};
    info.inputs = key_input_kinds();
    info.parameters = {{"E", "keys a thread", 1, 64, std::nullopt}, {"b", "threads a block", 32, 1024, std::nullopt}};
    return info;
}

std::vector<std::uint32_t> reference(std::vector<std::uint32_t> keys) {
    std::vector<std::uint32_t> other(keys.size());
    for (unsigned shift = 0; shift < 32; shift += 8) {
        std::array<std::size_t, 257> begins{};
        for (const std::uint32_t key : keys) ++begins[((key >> shift) & 255U) + 1];
        for (std::size_t digit = 0; digit < 256; ++digit) begins[digit + 1] += begins[digit];
        for (const std::uint32_t key : keys) other[begins[(key >> shift) & 255U]++] = key;
        keys.swap(other);
    }
    return keys;
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    const auto selection = select(about, request);
    if (!selection) return selection.error();
    const std::vector<std::uint32_t> keys =
        request.keys ? *request.keys : make_keys(selection->input, selection->n, selection->seed);

    const auto module = device.load_module(cubins::sort(), "workloads/sort/sort.cubin");
    if (!module) return module.error();
    const auto device_keys = DeviceBuffer<std::uint32_t>::from(device, keys);
    if (!device_keys) return device_keys.error();
    const auto device_sorted = DeviceBuffer<std::uint32_t>::make(device, keys.size());
    if (!device_sorted) return device_sorted.error();
    const std::int64_t tile = selection->parameter("E") * selection->parameter("b");
    const auto device_partitions =
        DeviceBuffer<std::uint32_t>::make(device, keys.size() / static_cast<std::uint64_t>(tile) + 2);
    if (!device_partitions) return device_partitions.error();

    bool in_first = false;
    if (!keys.empty()) {
        const auto result = launch_sort(device, *module, *selection, device_keys->argument(), device_sorted->argument(),
                                        device_partitions->argument());
        if (!result) return result.error();
        in_first = *result == device_keys->argument();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    const auto sorted = (in_first ? *device_keys : *device_sorted).read();
    if (!sorted) return sorted.error();
    WorkloadRun run = start_run(about, *selection);
    verify(run, *sorted, reference(keys));
    return run;
}

}  // namespace sassafras::workloads::sort
