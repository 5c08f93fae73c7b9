#include "workloads/search/search.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/inputs.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/search/layout.hpp"
#include "workloads/search/worst_queries.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::search {

namespace {

/// Where a variant keeps what it searches, and in which cubin its kernel is.
struct Method {
    enum class Where { shared, global_keys, global_tree };
    const char* variant;
    Where where;
    std::uint32_t keys_a_node;        ///< of a tree
    std::uint32_t cells_beside_keys;  ///< shared words beyond the keys themselves, their last row's padding included
    std::uint32_t tile_cells_a_warp;
};

constexpr std::uint32_t most_shared_keys = 1U << 16U;  ///< no GPU has this much shared memory; keeps inputs small
constexpr std::int64_t thesis_top_keys = 1 << 14;      ///< M_TB of the thesis, 64 KiB
constexpr std::array<Method, 8> methods{{
    {"bisection", Method::Where::shared, 0, 0, 0},
    {"halving", Method::Where::shared, 0, 0, 0},
    {"pbs", Method::Where::shared, 0, 0, 0},
    {"pbs-cf", Method::Where::shared, 0, 2 * w, 0},
    {"pbs-cl", Method::Where::shared, 0, 2 * w, 0},
    {"sorted", Method::Where::global_keys, 0, 0, 0},
    {"bst", Method::Where::global_tree, 1, 0, 0},
    {"btree", Method::Where::global_tree, w, 0, w*(w + 1)},
}};

const Method& method_of(const std::string& variant) {
    const auto* found = std::find_if(methods.begin(), methods.end(),
                                     [&](const Method& candidate) { return candidate.variant == variant; });
    require_invariant(found != methods.end(), "a variant that was never offered");
    return *found;
}

struct Cubin {
    std::span<const std::byte> bytes;
    const char* origin;
};

Cubin cubin_of(const Method& method) {
    if (method.where != Method::Where::shared) return {cubins::search_global(), "workloads/search/search_global.cubin"};
    const std::string_view variant = method.variant;
    if (variant == "bisection" || variant == "halving") return {cubins::search(), "workloads/search/search.cubin"};
    return {cubins::search_shared(), "workloads/search/search_shared.cubin"};
}

/// What follows from the variant if the user did not choose it, and what only some variants allow.
Result<void> complete(Selection& selection, const Method& method, const std::string& workload) {
    const bool shared = method.where == Method::Where::shared;
    const bool tree = method.where == Method::Where::global_tree;
    const std::int64_t keys = selection.parameter_or("K", shared ? 4096 : 1 << 20);
    selection.parameter_or("Q", tree ? 64 : 8);
    if (tree)
        selection.parameter_or("M_TB", thesis_top_keys);
    else if (auto checked = refuse_parameters(selection, {"M_TB"}, workload); !checked)
        return checked.error();
    if (shared && keys > most_shared_keys)
        return Error{ErrorKind::bad_input, fmt::format("K = {} keys do not fit in shared memory", keys), workload,
                     fmt::format("{} searches in shared memory; sorted, bst and btree do not", method.variant)};
    if (method.tile_cells_a_warp != 0 && selection.parameter("b") % w != 0)
        return Error{ErrorKind::bad_input, fmt::format("b = {} is no multiple of {}", selection.parameter("b"), w),
                     workload, fmt::format("{} reads a node with a whole warp", method.variant)};
    return {};
}

/// Without an M_TB of the user's, a top that the device's shared memory holds beside the tiles of a block's warps:
/// halves of the thesis' until it fits. A block that cannot even hold its tiles keeps what it has, and is refused when
/// it is launched.
void fit_top(Selection& selection, const Method& method, std::uint64_t tree_cells, Bytes most_shared) {
    const std::uint64_t tile_cells =
        static_cast<std::uint64_t>(selection.parameter("b")) / w * method.tile_cells_a_warp;
    const auto fits = [&](std::int64_t top) {
        const std::uint64_t cells = std::min(static_cast<std::uint64_t>(top), tree_cells) + tile_cells;
        return cells * sizeof(std::uint32_t) <= most_shared.count;
    };
    std::int64_t top = thesis_top_keys;
    while (top > 0 && !fits(top)) top /= 2;
    if (fits(top)) selection.parameters["M_TB"] = top;
}

std::vector<std::uint32_t> make_queries(const Selection& selection, const std::vector<std::uint32_t>& keys,
                                        const HostPoll& poll) {
    if (selection.input == "worst") return worst_queries(selection.variant, keys, selection.n, selection.seed);
    return make_keys(selection.input, selection.n, selection.seed, poll);
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "search";
    info.description = "predecessor of each query among sorted keys, in shared memory or in global memory";
    info.size_description = "queries";
    info.default_n = 1U << 20U;
    info.greatest_n = 1U << 30U;
    for (const Method& method : methods) info.variants.push_back({method.variant, {}});
    info.inputs = key_input_kinds();  // of the queries; the keys are always random and sorted
    info.inputs.emplace_back("worst");
    info.own_input = "queries of 32 bits";
    info.parameters = {
        {"K", "keys; 4096 if not given, 2^20 in global memory (sorted, bst, btree)", 0, 1 << 30, std::nullopt},
        {"b", "threads a block", 1, 1024, 256},
        {"Q", "queries a thread; 8 if not given, 64 for bst and btree", 1, 1024, std::nullopt},
        {"M_TB",
         "keys of the top of the tree that a block holds in shared memory (bst, btree); if not given 16384, or "
         "half of it and so on until the GPU holds it",
         0, 1 << 16, std::nullopt}};
    return info;
}

std::vector<std::int32_t> reference(const std::vector<std::uint32_t>& keys, const std::vector<std::uint32_t>& queries,
                                    const HostPoll& poll) {
    constexpr std::size_t queries_a_poll = 1U << 16U;
    std::vector<std::int32_t> predecessors;
    predecessors.reserve(queries.size());
    for (const std::uint32_t query : queries) {
        if (poll && predecessors.size() % queries_a_poll == 0) poll();
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

Result<Selection> choose(const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection;
    if (auto completed = complete(*selection, method_of(selection->variant), about.name); !completed)
        return completed.error();
    return selection;
}

std::vector<std::uint32_t> searched_keys(const Selection& selection) {
    return make_keys("sorted", static_cast<std::uint64_t>(selection.parameter("K")), selection.seed + 1);
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = choose(request);
    if (!selection) return selection.error();
    const Method& method = method_of(selection->variant);
    const std::vector<std::uint32_t> keys = searched_keys(*selection);
    const std::vector<std::uint32_t> queries =
        request.keys ? *request.keys : make_queries(*selection, keys, request.poll);
    const bool is_tree = method.where == Method::Where::global_tree;
    const LevelOrder tree = is_tree ? level_order(keys, method.keys_a_node) : LevelOrder{};
    if (is_tree && request.parameters.count("M_TB") == 0)
        fit_top(*selection, method, tree.cells.size(), device.most_shared_per_block());

    const Cubin cubin = cubin_of(method);
    request.poll_if_asked();
    const auto module = load_cubin(device, cubin.bytes, cubin.origin);
    if (!module) return module.error();
    const auto device_keys = DeviceBuffer<std::uint32_t>::from(device, is_tree ? tree.cells : keys);
    if (!device_keys) return device_keys.error();
    const auto device_queries = DeviceBuffer<std::uint32_t>::from(device, queries);
    if (!device_queries) return device_queries.error();
    const auto device_predecessors = DeviceBuffer<std::int32_t>::make(device, queries.size());
    if (!device_predecessors) return device_predecessors.error();

    if (!queries.empty()) {
        const auto key_count = static_cast<std::uint32_t>(keys.size());
        const auto block = static_cast<std::uint32_t>(selection->parameter("b"));
        const auto each = static_cast<std::uint32_t>(selection->parameter("Q"));
        const std::uint64_t queries_a_block = static_cast<std::uint64_t>(block) * each;
        sim::Launch launch;
        launch.module = *module;
        launch.kernel = "search_" + selection->variant;
        std::replace(launch.kernel.begin(), launch.kernel.end(), '-', '_');
        launch.grid = {static_cast<std::uint32_t>((queries.size() + queries_a_block - 1) / queries_a_block), 1, 1};
        launch.block = {block, 1, 1};
        launch.arguments.add(device_keys->argument()).add(key_count).add(device_queries->argument());
        launch.arguments.add(device_predecessors->argument()).add(static_cast<std::uint32_t>(queries.size())).add(each);
        std::uint64_t shared_cells = 0;
        if (method.where == Method::Where::shared)
            shared_cells =
                method.cells_beside_keys == 0 ? key_count : (key_count + w - 1) / w * w + method.cells_beside_keys;
        if (is_tree) {
            const auto wanted = static_cast<std::uint32_t>(selection->parameter("M_TB"));
            const auto top_cells = std::min(static_cast<std::uint32_t>(tree.cells.size()),
                                            wanted / method.keys_a_node * method.keys_a_node);
            launch.arguments.add(tree.last_level_first).add(top_cells);
            shared_cells = top_cells + std::uint64_t{block} / w * method.tile_cells_a_warp;
        }
        launch.dynamic_shared = Bytes{shared_cells * sizeof(std::uint32_t)};
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    request.poll_if_asked();
    const auto predecessors = device_predecessors->read();
    if (!predecessors) return predecessors.error();
    WorkloadRun run = start_run(about, *selection);
    verify(run, *predecessors, reference(keys, queries, request.poll));
    return run;
}

}  // namespace sassafras::workloads::search
