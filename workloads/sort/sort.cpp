#include "workloads/sort/sort.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/inputs.hpp"
#include "workloads/selection.hpp"
#include "workloads/sort/elements.hpp"
#include "workloads/sort/launches.hpp"

namespace sassafras::workloads::sort {
namespace {

Result<std::uint64_t> launch_all(Job& job) {
    switch (job.plan.algorithm) {
        case Algorithm::recorded: return launch_recorded(job);
        case Algorithm::mms:
        case Algorithm::koike_sadakane: return launch_multiway(job);
        default: return launch_pairwise(job);
    }
}

/// The elements as the device leaves them.
template <class T>
Result<std::vector<T>> sort_on(sim::Device& device, const Plan& plan, const std::vector<T>& elements) {
    const auto first = DeviceBuffer<T>::from(device, elements);
    if (!first) return first.error();
    const auto second = DeviceBuffer<T>::make(device, elements.size());
    if (!second) return second.error();
    Job job{device, plan, static_cast<std::uint32_t>(elements.size()), first->argument(), second->argument(), {}};
    std::uint64_t sorted = job.from;
    if (!elements.empty()) {
        const auto launched = launch_all(job);
        if (!launched) return launched.error();
        sorted = *launched;
    }
    if (auto done = device.synchronize(); !done) return done.error();
    return (sorted == job.from ? *first : *second).read();
}

std::vector<std::uint64_t> wide_input(const Plan& plan, const Selection& selection, const WorkloadRequest& request) {
    if (request.wide_keys) return *request.wide_keys;
    if (!request.keys) return make_wide(plan.order, selection.input, selection.n, selection.seed, request.poll);
    std::vector<std::uint64_t> pairs;
    pairs.reserve(request.keys->size());
    for (const std::uint32_t key : *request.keys) pairs.push_back(std::uint64_t{key} << 32U | pairs.size());
    return pairs;
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "sort";
    info.description = "comparison sorts: pairwise mergesorts (the first four, cf-merge), multiway ones, block sorts";
    info.size_description = "keys";
    info.default_n = 1U << 18U;
    info.greatest_n = 1U << 30U;  // so that twice a run's length fits in 32 bits
    info.variants = variants();
    info.inputs = key_input_kinds();
    info.own_input = "keys, of 32 or 64 bits";
    info.own_wide = true;
    info.parameters = parameters();
    return info;
}

std::vector<std::uint32_t> reference(std::vector<std::uint32_t> keys, const HostPoll& poll) {
    OccasionalPoll occasional(poll);
    std::vector<std::uint32_t> other(keys.size());
    for (unsigned shift = 0; shift < 32; shift += 8) {
        std::array<std::size_t, 257> begins{};
        for (const std::uint32_t key : keys) ++begins[((key >> shift) & 255U) + 1];
        for (std::size_t digit = 0; digit < 256; ++digit) begins[digit + 1] += begins[digit];
        for (const std::uint32_t key : keys) {
            other[begins[(key >> shift) & 255U]++] = key;
            occasional();
        }
        keys.swap(other);
    }
    return keys;
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection.error();
    const std::vector<std::string> wide = wide_variants();
    if (request.wide_keys && std::find(wide.begin(), wide.end(), selection->variant) == wide.end())
        return Error{ErrorKind::bad_input,
                     fmt::format("the keys given have 64 bits, variant {} sorts keys of 32", selection->variant),
                     about.name, fmt::format("choose --variant {}, or give keys of 32 bits", fmt::join(wide, " or "))};
    if (request.wide_keys)
        for (const char* other : {"values", "comparator"})
            if (selection->parameters.contains(other) && selection->parameter(other) == 1)
                return Error{ErrorKind::bad_input,
                             fmt::format("the keys given have 64 bits, and {} takes no such keys", other),
                             "sort " + selection->variant, fmt::format("leave {} out", other)};
    if (request.wide_keys) selection->parameter_or("key_bits", 64);
    const auto chosen = plan(*selection);
    if (!chosen) return chosen.error();
    if (request.wide_keys && chosen->order != Order::u64)
        return Error{ErrorKind::bad_input, "the keys given have 64 bits", "sort " + selection->variant,
                     "set key_bits to 64"};
    if (request.keys && chosen->order != Order::u32 && chosen->order != Order::pair)
        return Error{ErrorKind::bad_input, "the keys given have 32 bits", "sort " + selection->variant,
                     "leave key_bits and comparator out"};
    WorkloadRun run = start_run(about, *selection);
    if (chosen->order == Order::u32) {
        const std::vector<std::uint32_t> keys =
            request.keys ? *request.keys : make_keys(selection->input, selection->n, selection->seed, request.poll);
        const auto sorted = sort_on(device, *chosen, keys);
        if (!sorted) return sorted.error();
        run.mismatch = mismatch(keys, *sorted, request.poll);
    } else {
        const std::vector<std::uint64_t> elements = wide_input(*chosen, *selection, request);
        const auto sorted = sort_on(device, *chosen, elements);
        if (!sorted) return sorted.error();
        run.mismatch = mismatch(chosen->order, chosen->promise, elements, *sorted, request.poll);
    }
    run.verified = run.mismatch.empty();
    return run;
}

}  // namespace sassafras::workloads::sort
