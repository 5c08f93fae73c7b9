// Real workloads on GPUs that differ from an H200 in a few numbers.
#pragma once

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "workloads/workload.hpp"

namespace sassafras::sim::test {

/// An H200 with what `changes` says: members of the platform's JSON object, such as R"("gpu": {"sm_count": 2})".
inline Platform changed_h200(const std::string& changes) {
    const std::string text = R"({"name": "changed", "base": "h200")" + (changes.empty() ? "" : ", " + changes) + "}";
    const auto parsed = parse_platform(text, "changed.json");
    if (!parsed) FAIL(parsed.error().message());
    return (*parsed).platform;
}

struct Workload {
    const char* name;
    const char* variant;
    std::uint64_t n;
};

inline std::vector<KernelResult> run_on(Device& device, const Workload& workload) {
    workloads::WorkloadRequest request;
    request.name = workload.name;
    request.variant = workload.variant;
    request.n = workload.n;
    const auto run = workloads::run_workload(device, request);
    if (!run) FAIL(run.error().message());
    CHECK((*run).verified);
    return device.results();
}

inline std::vector<KernelResult> simulate(const std::string& changes, const Workload& workload,
                                          std::uint32_t threads = 1) {
    ModelOptions options;
    options.threads = threads;
    const auto device = make_simulated_device(changed_h200(changes), options);
    return run_on(*device, workload);
}

inline double sum(const std::vector<KernelResult>& launches, MetricId metric) {
    double total = 0;
    for (const KernelResult& launch : launches) total += launch.metric(metric);
    return total;
}
inline double cycles(const std::vector<KernelResult>& launches) {
    return sum(launches, "sm__cycles_elapsed.max"_metric);
}
inline double cycles(const std::string& changes, const Workload& workload) {
    return cycles(simulate(changes, workload));
}

template <class Count>
std::uint64_t source_sum(const std::vector<KernelResult>& launches, Count count) {
    std::uint64_t total = 0;
    for (const KernelResult& launch : launches)
        for (const SourceRow& row : launch.source) total += row.*count;
    return total;
}

}  // namespace sassafras::sim::test
