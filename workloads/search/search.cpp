#include "workloads/search/search.hpp"

#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/inputs.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::search {

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "search";
    info.description = "predecessor of each query among sorted keys, by binary search in shared memory";
    info.size_description = "queries";
    info.default_n = 1U << 20U;
    info.greatest_n = 1U << 30U;
    info.variants = {{"bisection", {}}, {"halving", {}}};
    info.inputs = key_input_kinds();  // of the queries; the keys are always random and sorted
    info.parameters = {{"K", "keys; each block holds all of them in shared memory", 0, 12288, 4096},
                       {"b", "threads a block", 1, 1024, 256},
                       {"Q", "queries a thread", 1, 1024, 8}};
    return info;
}

std::vector<std::int32_t> reference(const std::vector<std::uint32_t>& keys, const std::vector<std::uint32_t>& queries) {
    std::vector<std::int32_t> predecessors;
    predecessors.reserve(queries.size());
    for (const std::uint32_t query : queries) {
        std::size_t low = 0;  // keys before low are not greater, keys from high on are greater
        std::size_t high = keys.size();
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (keys[middle] <= query)
                low = middle + 1;
            else
                high = middle;
        }
        predecessors.push_back(static_cast<std::int32_t>(low) - 1);
    }
    return predecessors;
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    const auto selection = select(about, request);
    if (!selection) return selection.error();
    const std::vector<std::uint32_t> queries = make_keys(selection->input, selection->n, selection->seed);
    const std::vector<std::uint32_t> keys =
        make_keys("sorted", static_cast<std::uint64_t>(selection->parameter("K")), selection->seed + 1);

    const auto module = device.load_module(cubins::search(), "workloads/search/search.cubin");
    if (!module) return module.error();
    const auto device_keys = DeviceBuffer<std::uint32_t>::from(device, keys);
    if (!device_keys) return device_keys.error();
    const auto device_queries = DeviceBuffer<std::uint32_t>::from(device, queries);
    if (!device_queries) return device_queries.error();
    const auto device_predecessors = DeviceBuffer<std::int32_t>::make(device, queries.size());
    if (!device_predecessors) return device_predecessors.error();

    if (!queries.empty()) {
        const auto block = static_cast<std::uint32_t>(selection->parameter("b"));
        const auto each = static_cast<std::uint32_t>(selection->parameter("Q"));
        const std::uint64_t queries_a_block = static_cast<std::uint64_t>(block) * each;
        sim::Launch launch;
        launch.module = *module;
        launch.kernel = "search_" + selection->variant;
        launch.grid = {static_cast<std::uint32_t>((queries.size() + queries_a_block - 1) / queries_a_block), 1, 1};
        launch.block = {block, 1, 1};
        launch.dynamic_shared = Bytes{keys.size() * sizeof(std::uint32_t)};
        launch.arguments.add(device_keys->argument())
            .add(static_cast<std::uint32_t>(keys.size()))
            .add(device_queries->argument());
        launch.arguments.add(device_predecessors->argument()).add(static_cast<std::uint32_t>(queries.size())).add(each);
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    const auto predecessors = device_predecessors->read();
    if (!predecessors) return predecessors.error();
    WorkloadRun run = start_run(about, *selection);
    verify(run, *predecessors, reference(keys, queries));
    return run;
}

}  // namespace sassafras::workloads::search
