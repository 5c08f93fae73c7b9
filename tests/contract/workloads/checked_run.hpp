// A workload run on a modelled H200, its result checked against the CPU reference, and sums over what it counted.
#pragma once

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "sim/device/modelled_devices.hpp"
#include "tests/h200.hpp"
#include "workloads/workload.hpp"

namespace sassafras::test {

/// A kernel that never ends must fail the test, not hang it.
inline sim::ModelOptions bounded() {
    sim::ModelOptions options;
    options.instruction_limit = 50'000'000;
    return options;
}
inline std::unique_ptr<sim::Device> functional() { return sim::make_functional_device(h200(), bounded()); }
inline std::unique_ptr<sim::Device> simulated() { return sim::make_simulated_device(h200(), bounded()); }

struct Choice {
    std::string workload;
    std::string variant;
    std::uint64_t n = 0;
    std::string input;
    std::map<std::string, std::int64_t> parameters;
    std::uint64_t seed = 1;
};

/// Fails the test unless every bit is right; returns what the launches counted.
inline std::vector<sim::KernelResult> checked_run(sim::Device& device, const Choice& choice) {
    workloads::WorkloadRequest request;
    request.name = choice.workload;
    request.variant = choice.variant;
    request.n = choice.n;
    request.input = choice.input;
    request.parameters = choice.parameters;
    request.seed = choice.seed;
    std::string parameters;
    for (const auto& [name, value] : choice.parameters) parameters += " " + name + "=" + std::to_string(value);
    CAPTURE(device.name(), choice.workload, choice.variant, choice.n, choice.input, parameters, choice.seed);
    device.clear_results();
    const auto run = workloads::run_workload(device, request);
    if (!run) FAIL(run.error().message());
    INFO((*run).mismatch);
    REQUIRE((*run).verified);
    return device.results();
}

inline workloads::WorkloadInfo info_of(const std::string& workload) {
    for (workloads::WorkloadInfo& info : workloads::list())
        if (info.name == workload) return info;
    FAIL("there is no workload " + workload);
    return {};
}

/// Shared-memory wavefronts beyond those that an access without conflicts takes.
inline std::uint64_t shared_conflicts(const std::vector<sim::KernelResult>& launches) {
    std::uint64_t total = 0;
    for (const sim::KernelResult& launch : launches)
        for (const sim::SourceRow& row : launch.source) total += row.shared_wavefronts - row.shared_wavefronts_ideal;
    return total;
}

/// One of the elements, drawn.
template <class T>
const T& any_of(Random& random, const std::vector<T>& elements) {
    return elements[random.below(elements.size())];
}

/// A count as the value of a parameter.
inline std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// 0, 1, around a warp, around a power of two, a prime: sizes at which kernels go wrong.
inline std::vector<std::uint64_t> awkward_sizes() { return {0, 1, 31, 32, 33, 1023, 1024, 1025, 1009, 4099}; }

}  // namespace sassafras::test
