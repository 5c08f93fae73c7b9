#include "workloads/merge/merge.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/inputs.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::merge {
namespace {

constexpr std::int64_t greatest_n = std::int64_t{1}
                                    << 30;  // so that positions and the last thread's diagonal fit in 32 bits

std::ptrdiff_t signed_size(std::uint64_t count) { return static_cast<std::ptrdiff_t>(count); }

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "merge";
    info.description = "merges two ascending arrays in global memory; each thread finds its co-ranks and merges E keys";
    info.size_description = "keys in both arrays together";
    info.default_n = 1U << 20U;
    info.greatest_n = static_cast<std::uint64_t>(greatest_n);
    info.variants = {{"E15", {{"E", 15}}}, {"E8", {{"E", 8}}}, {"E32", {{"E", 32}}}};
    info.inputs = key_input_kinds();
    info.parameters = {{"E", "keys that a thread merges", 1, 32, std::nullopt},
                       {"b", "threads a block", 1, 1024, 128},
                       {"A", "keys in the first array; n / 2 if not given", 0, greatest_n, std::nullopt}};
    return info;
}

std::pair<Keys, Keys> make_runs(std::string_view kind, std::uint64_t first, std::uint64_t second, std::uint64_t seed) {
    if (kind == "random") return {make_keys("sorted", first, seed), make_keys("sorted", second, seed + 1)};
    if (kind == "equal") {
        const Keys all = make_keys("equal", first + second, seed);
        return {Keys(all.begin(), all.begin() + signed_size(first)), Keys(all.begin() + signed_size(first), all.end())};
    }
    const Keys all = make_keys("sorted", first + second, seed);
    if (kind == "sorted")
        return {Keys(all.begin(), all.begin() + signed_size(first)), Keys(all.begin() + signed_size(first), all.end())};
    require_invariant(kind == "reverse", "an input kind that was never offered");
    return {Keys(all.begin() + signed_size(second), all.end()), Keys(all.begin(), all.begin() + signed_size(second))};
}

Keys reference(const Keys& a, const Keys& b) {
    Keys merged;
    merged.reserve(a.size() + b.size());
    std::size_t from_a = 0;
    std::size_t from_b = 0;
    while (from_a < a.size() || from_b < b.size()) {
        const bool take_a = from_b == b.size() || (from_a < a.size() && a[from_a] <= b[from_b]);
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
    const auto [a, b] = make_runs(selection->input, first, n - first, selection->seed);

    const auto module = device.load_module(cubins::merge(), "workloads/merge/merge.cubin");
    if (!module) return module.error();
    const auto device_a = DeviceBuffer<std::uint32_t>::from(device, a);
    if (!device_a) return device_a.error();
    const auto device_b = DeviceBuffer<std::uint32_t>::from(device, b);
    if (!device_b) return device_b.error();
    const auto device_merged = DeviceBuffer<std::uint32_t>::make(device, n);
    if (!device_merged) return device_merged.error();

    if (n != 0) {
        const auto block = static_cast<std::uint32_t>(selection->parameter("b"));
        const std::uint64_t keys_a_block =
            static_cast<std::uint64_t>(block) * static_cast<std::uint64_t>(selection->parameter("E"));
        sim::Launch launch;
        launch.module = *module;
        launch.kernel = "merge_" + selection->variant;
        launch.grid = {static_cast<std::uint32_t>((n + keys_a_block - 1) / keys_a_block), 1, 1};
        launch.block = {block, 1, 1};
        launch.arguments.add(device_a->argument()).add(static_cast<std::uint32_t>(a.size()));
        launch.arguments.add(device_b->argument())
            .add(static_cast<std::uint32_t>(b.size()))
            .add(device_merged->argument());
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    const auto merged = device_merged->read();
    if (!merged) return merged.error();
    WorkloadRun run = start_run(about, *selection);
    verify(run, *merged, reference(a, b));
    return run;
}

}  // namespace sassafras::workloads::merge
