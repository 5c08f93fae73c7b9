#include "workloads/merge/merge.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/inputs.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/merge/co_rank.hpp"
#include "workloads/merge/launch_co_rank.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::merge {
namespace {

constexpr std::int64_t greatest_n = std::int64_t{1}
                                    << 30;  // so that positions and the last thread's diagonal fit in 32 bits

std::ptrdiff_t signed_size(std::uint64_t count) { return static_cast<std::ptrdiff_t>(count); }

/// Parameters that only some variants have.
Result<void> check_parameters(const Selection& selection, const CoRankVariant* by_co_ranks,
                              const std::string& workload) {
    if (by_co_ranks == nullptr) return refuse_parameters(selection, {"blocks", "S", "tune"}, workload);
    if (by_co_ranks->buffers == 0) return refuse_parameters(selection, {"E", "S"}, workload);
    return refuse_parameters(selection, {"E"}, workload);
}

/// A user's own keys, the first array before the second.
Result<std::pair<Keys, Keys>> split(const Keys& keys, std::uint64_t first, const std::string& workload) {
    const auto cut = keys.begin() + signed_size(first);
    for (const auto& [begin, end] : {std::pair{keys.begin(), cut}, {cut, keys.end()}})
        if (const auto falls = std::is_sorted_until(begin, end); falls != end)
            return Error{ErrorKind::bad_input,
                         fmt::format("number {} (from 0) is less than the one before it", falls - keys.begin()),
                         workload, fmt::format("two ascending arrays are merged; the first has A = {} keys", first)};
    return std::pair{Keys(keys.begin(), cut), Keys(cut, keys.end())};
}

Result<sim::ModuleId> load_merge(sim::Device& device, const CoRankVariant* by_co_ranks) {
    if (by_co_ranks == nullptr) return load_cubin(device, cubins::merge(), "workloads/merge/merge.cubin");
    if (by_co_ranks->printed) return load_cubin(device, cubins::merge_printed(), "workloads/merge/merge_printed.cubin");
    return load_cubin(device, cubins::merge_co_rank(), "workloads/merge/merge_co_rank.cubin");
}

/// E8, E15, E32: as many threads as parts of E keys.
Result<void> launch_by_elements(sim::Device& device, sim::Launch& launch, Selection& selection) {
    const auto block = static_cast<std::uint32_t>(selection.parameter_or("b", 128));
    const std::uint64_t keys_a_block =
        static_cast<std::uint64_t>(block) * static_cast<std::uint64_t>(selection.parameter("E"));
    launch.grid = {static_cast<std::uint32_t>((selection.n + keys_a_block - 1) / keys_a_block), 1, 1};
    launch.block = {block, 1, 1};
    if (selection.n == 0) return {};
    return device.launch(launch);
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "merge";
    info.description = "merges two ascending arrays in global memory by co-ranks, a part a thread";
    info.size_description = "keys in both arrays together";
    info.default_n = 1U << 20U;
    info.greatest_n = static_cast<std::uint64_t>(greatest_n);
    info.variants = {{"E15", {{"E", 15}}}, {"E8", {{"E", 8}}}, {"E32", {{"E", 32}}}};
    for (const CoRankVariant& variant : co_rank_variants()) info.variants.push_back({variant.name, {}});
    info.inputs = key_input_kinds();
    info.own_input = "keys of 32 bits: the first A of them ascending, and the others";
    info.parameters = {
        {"E", "keys that a thread merges (E8, E15, E32)", 1, 32, std::nullopt},
        {"b", "threads a block; 128 if not given", 1, 1024, std::nullopt},
        {"A", "keys in the first array; n / 2 if not given", 0, greatest_n, std::nullopt},
        {"blocks", "blocks; enough to fill the GPU if not given (not E8, E15, E32)", 1, 1 << 20, std::nullopt},
        {"S",
         "bytes of shared memory a block (single-buffer, double-buffer); room for 17 keys a thread if not given, or "
         "fewer if they do not fit",
         4, 1 << 18, std::nullopt},
        {"tune", "1: try many blocks, b and S, each unless given, and take the fastest (not E8, E15, E32)", 0, 1,
         std::nullopt}};
    return info;
}

std::pair<Keys, Keys> make_runs(std::string_view kind, std::uint64_t first, std::uint64_t second, std::uint64_t seed,
                                const HostPoll& poll) {
    if (kind == "sorted" || kind == "reverse") {
        const Keys all = make_keys("sorted", first + second, seed, poll);
        const std::ptrdiff_t cut = signed_size(kind == "sorted" ? first : second);
        Keys lower(all.begin(), all.begin() + cut);
        Keys upper(all.begin() + cut, all.end());
        if (kind == "sorted") return {std::move(lower), std::move(upper)};
        return {std::move(upper), std::move(lower)};
    }
    if (kind == "few-distinct" || kind == "organ-pipe") {
        Keys a = make_keys(kind, first + second, seed, poll);
        const auto cut = a.begin() + signed_size(first);
        Keys b(cut, a.end());
        a.erase(cut, a.end());
        sort_polled(a, poll);
        sort_polled(b, poll);
        return {std::move(a), std::move(b)};
    }
    const bool one_draw = kind == "equal";  // one value in both
    Keys a = make_keys(kind, first, seed, poll);
    Keys b = make_keys(kind, second, one_draw ? seed : seed + 1, poll);
    sort_polled(a, poll);
    sort_polled(b, poll);
    return {std::move(a), std::move(b)};
}

Keys reference(const Keys& a, const Keys& b, const HostPoll& poll) {
    OccasionalPoll occasional(poll);
    Keys merged;
    merged.reserve(a.size() + b.size());
    std::size_t from_a = 0;
    std::size_t from_b = 0;
    while (from_a < a.size() || from_b < b.size()) {
        const bool take_a = from_b == b.size() || (from_a < a.size() && a[from_a] <= b[from_b]);
        occasional();
        merged.push_back(take_a ? a[from_a++] : b[from_b++]);
    }
    return merged;
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection.error();
    const std::uint64_t n = selection->n;
    const auto first = static_cast<std::uint64_t>(selection->parameter_or("A", static_cast<std::int64_t>(n / 2)));
    if (first > n)
        return Error{ErrorKind::bad_input, fmt::format("the first array has A = {} keys, more than n = {}", first, n),
                     about.name, "A counts a part of n"};
    const auto runs = request.keys ? split(*request.keys, first, about.name)
                                   : make_runs(selection->input, first, n - first, selection->seed, request.poll);
    if (!runs) return runs.error();
    const auto& [a, b] = *runs;

    const CoRankVariant* const by_co_ranks = find_co_rank_variant(selection->variant);
    if (auto checked = check_parameters(*selection, by_co_ranks, about.name); !checked) return checked.error();

    const auto module = load_merge(device, by_co_ranks);
    if (!module) return module.error();
    const auto device_a = DeviceBuffer<std::uint32_t>::from(device, a);
    if (!device_a) return device_a.error();
    const auto device_b = DeviceBuffer<std::uint32_t>::from(device, b);
    if (!device_b) return device_b.error();
    const auto device_merged = DeviceBuffer<std::uint32_t>::make(device, n);
    if (!device_merged) return device_merged.error();

    sim::Launch launch;
    launch.module = *module;
    launch.kernel = "merge_" + selection->variant;
    std::replace(launch.kernel.begin(), launch.kernel.end(), '-', '_');
    launch.arguments.add(device_a->argument()).add(static_cast<std::uint32_t>(a.size()));
    launch.arguments.add(device_b->argument()).add(static_cast<std::uint32_t>(b.size())).add(device_merged->argument());
    if (auto launched = by_co_ranks != nullptr
                            ? launch_by_co_ranks(device, launch, *by_co_ranks, *selection, request.tuning)
                            : launch_by_elements(device, launch, *selection);
        !launched)
        return launched.error();
    if (auto done = device.synchronize(); !done) return done.error();
    request.poll_if_asked();
    const auto merged = device_merged->read();
    if (!merged) return merged.error();
    WorkloadRun run = start_run(about, *selection);
    verify(run, *merged, reference(a, b, request.poll));
    return run;
}

}  // namespace sassafras::workloads::merge
